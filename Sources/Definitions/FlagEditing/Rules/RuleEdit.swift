/// An edit of a rule; ids are those of the rule that it is applied to.
package enum RuleEdit: Hashable, Sendable {
  /// Replaces a condition by a test.
  case setTest(String, EditableRule.Test)
  /// Replaces a condition by a shared condition.
  case setShared(String, String)
  /// Replaces a condition by JSON.
  case setConditionJSON(String, String)
  /// Sets how the conditions of a group count together.
  case setGroup(String, EditableRule.Condition.Group)
  /// Sets an outcome, of a branch or otherwise; anything but branches.
  case setOutcome(String, EditableRule.Outcome.Content)
  /// Adds a test to a group; any other condition becomes a group of itself and the test.
  case addCondition(inside: String)
  /// Adds a group of one test to a group; any other condition becomes a group of itself and the new one.
  case addGroup(inside: String)
  /// Removes a condition from its group; of two, the other one takes the place of the group.
  case removeCondition(String)
  /// Adds a branch before one, or before an outcome, which becomes its "else"; nil for one after all others.
  case addBranch(before: String?)
  /// Removes a branch.
  case removeBranch(String)
  /// Moves a branch by a number of places among its siblings, as far as there are as many.
  case moveBranch(String, by: Int)
}
