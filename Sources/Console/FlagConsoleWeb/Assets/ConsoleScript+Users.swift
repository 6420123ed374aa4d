extension ConsoleScript {
  /// The page of test users: a chosen file is put into the field, to be looked at before it is imported.
  static let users = #"""
    for (const label of $$("[data-file-for]")) {
      label.hidden = false;
      $("input", label).addEventListener("change", async (event) => {
        const file = event.target.files[0];
        if (file) document.getElementById(label.dataset.fileFor).value = await file.text();
      });
    }

    """#
}
