extension ConsoleScript {
  /// The editor's variants: what a review has rewritten for a new name is taken over, so that the next review finds it.
  static let variants = #"""
    function adoptVariants(page) {
      const [variants, others] = [$("#variants"), $("#variants", page)];
      if (!variants || !others || $$(".variant", variants).length !== $$(".variant", others).length) return;
      for (const field of $$("input[type=hidden]", others)) {
        const own = variants.querySelector(`[name="${field.name}"]`);
        if (own) own.value = field.value;
      }
      const [choice, other] = [$("[name=default]"), $("[name=default]", page)];
      if (choice && other && choice !== document.activeElement) choice.innerHTML = other.innerHTML;
    }

    """#
}
