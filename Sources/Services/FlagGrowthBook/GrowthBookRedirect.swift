public import FlagDomain

/// A redirect to another page, which an experiment chose for a user.
public struct GrowthBookRedirect: Hashable, Sendable {
  /// The key of the experiment.
  public let experiment: String
  /// The key of the variation.
  public let variation: String
  /// The variation's address, as the document has it.
  public let target: String
  /// The address to go to: the variation's, with the query of the page if the experiment keeps it.
  public let address: String
}

extension GrowthBookDocument {
  /// Returns the redirect of the first experiment that leads the user of a page elsewhere; nil to stay.
  ///
  /// The address of the page is the attribute of the context that the settings name.
  ///
  /// - Throws: A `FlagError` if an experiment cannot be run.
  public func redirect(in context: EvaluationContext) throws(FlagError) -> GrowthBookRedirect? {
    for index in payload.pageExperiments.indices {
      if let redirect = try redirect(ofExperiment: index, in: context) { return redirect }
    }
    return nil
  }

  func redirect(ofExperiment index: Int, in context: EvaluationContext) throws(FlagError) -> GrowthBookRedirect? {
    let number = payload.pageExperiments[index]
    let experiment = payload.experiments[number]
    guard let targets = experiment.addresses else { return nil }
    var evaluation = FeatureEvaluation(for: context, stickyBuckets)
    do throws(EvaluationFailure) {
      let run = try evaluation.run(number, of: payload)
      let value = payload.answers[Int(experiment.firstAnswer) + run.variation].value
      guard run.isIncluded, let target = value?.fields?.text("urlRedirect"), let page = evaluation.address(in: payload)
      else {
        return nil
      }
      let address = experiment.keepsQuery ? WebAddress.adding(queryOf: page, to: target) : target
      // A page that the experiment is about as well would redirect for ever.
      if try evaluation.isTargeted(targets, address) { return nil }
      return GrowthBookRedirect(
        experiment: experiment.key, variation: experiment.variations[run.variation].key, target: target,
        address: address)
    } catch {
      throw FlagError(error, of: payload)
    }
  }
}

extension WebAddress {
  /// Returns an address with the items of another one's query whose names it does not have.
  fileprivate static func adding(queryOf page: String, to target: String) -> String {
    guard let page = WebAddress(page), var address = WebAddress(target) else { return target }
    var items = QueryItems(address.query ?? "")
    if items.add(QueryItems(page.query ?? "")) { address.query = items.query }
    return address.text
  }
}
