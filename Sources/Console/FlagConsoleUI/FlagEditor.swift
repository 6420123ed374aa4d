#if canImport(SwiftUI)
  import FlagConsole
  import FlagDomain
  import FlagProviders
  import Foundation
  import SwiftUI

  /// The control for a flag's value, by its type; what is entered is taken when it is chosen, or its field is left.
  struct FlagEditor: View {
    let row: FlagRow
    /// The value to begin with; nil for none.
    let value: FlagValue?
    /// Stores what was entered; nil is none.
    let store: (String?) throws(FlagError) -> Void

    /// The text that is being entered; nil while the value is shown.
    @State private var entered: String?
    @State private var problem: String?
    @FocusState private var isFocused: Bool

    private var control: FlagControl { row.control }
    private var text: String { value.map(control.text(of:)) ?? "" }

    var body: some View {
      editor
      if let problem { Text(problem).foregroundStyle(Color.red) }
      if row.offersNone { Button("None") { take(nil) } }
    }

    @ViewBuilder private var editor: some View {
      switch control {
      case .toggle:
        Toggle(
          "Value",
          isOn: Binding { @MainActor in
            text == "true"
          } set: { @MainActor isOn in
            take(isOn ? "true" : "false")
          })
      case .choice(let values):
        Picker(
          "Value",
          selection: Binding { @MainActor in
            text
          } set: { @MainActor text in
            take(text)
          }
        ) {
          ForEach(values, id: \.self) { value in Text(row.choiceText(of: value)).tag(control.text(of: value)) }
        }
      case .number(let isWhole, let range, let step):
        field(isWhole ? "Whole number" : "Number")
          .typing((range?.lowerBound ?? -1) < 0 ? .signed : isWhole ? .digits : .decimals)
        #if !os(tvOS)
          if let range, let step { stepper(range, step, isWhole) }
        #endif
      case .text(let suggestions):
        #if !os(tvOS)
          if let date { picker(of: date) }
        #endif
        field("Text").typing(.words)
        ForEach(suggestions, id: \.self) { suggestion in Button(suggestion) { take(suggestion) } }
      case .json:
        TextField("JSON", text: entering, axis: .vertical).focused($isFocused).typing(.code)
          .onChange(of: isFocused) { _, isFocused in if !isFocused { leave() } }
        // Its return key begins a line.
        if entered != nil { Button("Done") { isFocused = false } }
      }
    }

    private func field(_ title: LocalizedStringKey) -> some View {
      TextField(title, text: entering)
        .focused($isFocused)
        .onSubmit { isFocused = false }
        .onChange(of: isFocused) { _, isFocused in if !isFocused { leave() } }
    }

    #if !os(tvOS)
      private func stepper(_ range: ClosedRange<Double>, _ step: Double, _ isWhole: Bool) -> some View {
        Stepper(
          "Value",
          value: Binding { @MainActor in
            Double(text) ?? range.lowerBound
          } set: { @MainActor number in
            take(isWhole ? "\(Int64(number))" : "\(number)")
          }, in: range, step: step)
      }
    #endif

    #if !os(tvOS)
      /// The value of a date's flag; nil if it has none.
      private var date: Date? {
        guard row.holdsDates, let value else { return nil }
        do throws(FlagError) {
          return try Date(flagValue: value)
        } catch {
          return nil  // shown as the text that it is
        }
      }

      private func picker(of date: Date) -> some View {
        DatePicker(
          "Value",
          selection: Binding { @MainActor in
            date
          } set: { @MainActor date in
            do throws(FlagError) {
              take(control.text(of: try date.flagValue))
            } catch {
              problem = error.message
            }
          })
      }
    #endif

    private var entering: Binding<String> {
      Binding { @MainActor in
        if let entered { entered } else { text }
      } set: { @MainActor text in
        entered = text
      }
    }

    /// Takes what was entered, unless nothing was.
    private func leave() {
      guard let entered, entered != text else { return self.entered = nil }
      take(entered)
    }

    private func take(_ text: String?) {
      do throws(FlagError) {
        try store(text)
        (entered, problem) = (nil, nil)
      } catch {
        problem = error.message
      }
    }
  }

  /// The kind of text that is typed into a field.
  enum Typed {
    case words, code, digits, decimals, signed
  }

  extension View {
    /// Sets up the keyboard so that what is typed stays as it is.
    func typing(_ typed: Typed) -> some View {
      let plain = autocorrectionDisabled().withoutCapitals()
      #if os(macOS) || os(watchOS)
        return plain
      #else
        return plain.keyboardType(typed.keyboard)
      #endif
    }
  }

  #if !os(macOS) && !os(watchOS)
    extension Typed {
      /// The keyboard; that of ASCII keeps straight quotes.
      fileprivate var keyboard: UIKeyboardType {
        switch self {
        case .words: .default
        case .code: .asciiCapable
        case .digits: .numberPad
        case .decimals: .decimalPad
        case .signed: .numbersAndPunctuation
        }
      }
    }
  #endif
#endif
