#if canImport(SwiftUI)
  import FeatureFlags
  import SignIn
  import SwiftUI

  /// The sign-in, which reads no flag, and the way to the console.
  struct AccountScreen: View {
    let signIn: SignInModel
    @Binding var showsFlags: Bool
    @State private var name = ""
    @State private var country = "us"
    @State private var isTester = false

    var body: some View {
      NavigationStack {
        Form {
          Section("Reader") {
            TextField("Name", text: $name)
            Picker("Country", selection: $country) {
              ForEach(["es", "pt", "us"], id: \.self) { code in Text(code.uppercased()).tag(code) }
            }
            Toggle("Tests what is new", isOn: $isTester)
            Button("Sign in") {
              signIn.signIn(FlagUser(id: name, countryCode: country, segments: isTester ? ["beta"] : []))
            }
            .disabled(name.isEmpty)
            Button("Sign out") { signIn.signOut() }
          }
          Section("For developers") {
            Button("Flags") { showsFlags = true }
          }
        }
        .navigationTitle("Account")
      }
    }
  }
#endif
