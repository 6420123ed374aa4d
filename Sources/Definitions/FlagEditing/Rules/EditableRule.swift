package import FlagDomain
import FlagJSON

/// A rule as a person edits it: branches with conditions and outcomes, each known by an id.
///
/// It is a view of the rule's text. A part that has no form, such as arithmetic, is JSON in its place, and keeps its
/// bytes unless it is edited itself. Reading takes time and memory in proportion to the text.
///
/// Ids are short texts of letters, digits and dots. They depend on the place of a part alone, so that editing values
/// keeps them.
package struct EditableRule: Hashable, Sendable {
  /// The rule's JSON; empty for no rule.
  package let text: String
  /// The branches in order, the first whose condition holds decides; those after an "else" are among them.
  package let branches: [Branch]
  /// The outcome if no branch holds; a rule without a condition has only this.
  package let otherwise: Outcome

  /// A condition, and the outcome if it holds.
  package struct Branch: Hashable, Sendable {
    /// The id, which is also that of the condition.
    package var id: String { condition.id }
    /// The condition.
    package let condition: Condition
    /// The outcome.
    package let outcome: Outcome
  }

  /// A condition: a test, a group of conditions, a shared condition, or JSON.
  package struct Condition: Hashable, Sendable {
    /// The relation of the conditions of a group.
    package enum Group: String, CaseIterable, Sendable {
      /// All of them hold.
      case all
      /// At least one of them holds.
      case any
      /// None of them holds.
      case none
    }

    /// The content of a condition.
    package indirect enum Content: Hashable, Sendable {
      /// A test of an attribute.
      case test(Test)
      /// Conditions, and how they count together.
      case group(Group, [Condition])
      /// The name of a shared condition: an evaluator of the document.
      case shared(String)
      /// A condition without a form, as JSON laid out for reading.
      case json(String)
    }

    /// The id.
    package let id: String
    /// The content.
    package let content: Content
    let path: DocumentPath
  }

  /// A test of one attribute.
  package struct Test: Hashable, Sendable {
    /// The name of the attribute, with a dot between the names of nested ones; not empty.
    package var attribute: String
    /// The comparison.
    package var comparison: Comparison
    /// The values to compare with, as many and of the kinds as the comparison's input says.
    package var operands: [FlagValue]

    /// Creates a test.
    package init(_ attribute: String, _ comparison: Comparison, _ operands: [FlagValue] = []) {
      (self.attribute, self.comparison, self.operands) = (attribute, comparison, operands)
    }
  }

  /// The result of a branch or of a rule.
  package struct Outcome: Hashable, Sendable {
    /// The content of an outcome.
    package indirect enum Content: Hashable, Sendable {
      /// The name of a variant; true and false choose the variants of those names.
      case variant(String)
      /// No choice, so that the flag's default variant is used.
      case defaultVariant
      /// Shares of the users.
      case shares(Shares)
      /// Branches inside a branch.
      case branches([Branch], otherwise: Outcome)
      /// An outcome without a form, as JSON laid out for reading.
      case json(String)
    }

    /// The id.
    package let id: String
    /// The content.
    package let content: Content
    /// The path of the value; that of an element to append, if an "else" is absent.
    let path: DocumentPath
  }

  /// Shares of the users, each with a variant.
  package struct Shares: Hashable, Sendable {
    /// A variant, and the weight of its share.
    package struct Entry: Hashable, Sendable {
      /// The name of the variant.
      package var variant: String
      /// The weight, from zero.
      package var weight: Int

      /// Creates an entry.
      package init(_ variant: String, _ weight: Int) { (self.variant, self.weight) = (variant, weight) }
    }

    /// The attribute whose users stay together; nil for the user id.
    package var bucketBy: String?
    /// Whether the attribute alone assigns users, so that the first shares of all such flags are the same users.
    package var isSameForAllFlags: Bool
    /// The shares, in order.
    package var entries: [Entry]

    /// Creates shares.
    package init(_ entries: [Entry], bucketBy: String? = nil, isSameForAllFlags: Bool = false) {
      (self.entries, self.bucketBy, self.isSameForAllFlags) = (entries, bucketBy, isSameForAllFlags)
    }
  }
}
