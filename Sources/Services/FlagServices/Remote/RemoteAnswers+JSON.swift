import FlagDomain
import FlagJSON

extension RemoteAnswers {
  /// Returns the answers as JSON, for a cache; nil if a snapshot computes them.
  ///
  /// - Throws: A `FlagError` if a number cannot be written, since it is infinite.
  func json() throws(FlagError) -> [UInt8]? {
    guard let listed else { return nil }
    let answers = listed.mapValues { answer -> FlagValue in
      var members: [String: FlagValue] = [
        "reason": .string(answer.reason.rawValue), "metadata": .object(answer.metadata),
        "isTransient": .bool(answer.isTransient), "isMissingTargetingKey": .bool(answer.isMissingTargetingKey),
        "isExperiment": .bool(answer.isExperiment),
      ]
      members["value"] = answer.value
      members["variant"] = answer.variant.map(FlagValue.string)
      return .object(members)
    }
    return try FlagValue.object(["areTexts": .bool(textReader != nil), "answers": .object(answers)]).json()
  }

  /// Creates the answers of JSON that was cached; values that are all strings are read as JSON.
  init(json: [UInt8]) throws(FlagError) {
    let content = try FlagValue.reading(json: json).fields ?? [:]
    guard let listed = content["answers"]?.fields else {
      throw FlagError(.parseError, "expected cached answers, found none")
    }
    var answers: [FlagKey: FlagAnswer] = [:]
    for (name, answer) in listed {
      let members = answer.fields ?? [:]
      func isSet(_ name: String) -> Bool { members[name] == .bool(true) }
      answers[FlagKey(providerName: name)] = FlagAnswer(
        members["value"], variant: members["variant"]?.text,
        reason: ResolutionReason(rawValue: members["reason"]?.text ?? ResolutionReason.unknown.rawValue),
        metadata: members["metadata"]?.fields ?? [:], isTransient: isSet("isTransient"),
        isMissingTargetingKey: isSet("isMissingTargetingKey"), isExperiment: isSet("isExperiment"))
    }
    let reader: TextReader? = content["areTexts"] == .bool(true) ? FlagValue.reading(json:) : nil
    self.init(answers, textReader: reader)
  }
}
