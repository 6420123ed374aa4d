import FlagDomain
import FlagStatistics
import FlagSupport

extension ExperimentAnalysis {
  /// The period from the first to the last day of exposures; nil if the data contains no days.
  var period: String? {
    let days = data.variants.flatMap(\.usersByDay.keys)
    guard let first = days.min(), let last = days.max() else { return nil }
    func text(_ day: Int) -> String { "\(CalendarDay(daysSince1970: Int64(day)))" }
    let exposures = first == last ? "on \(text(first))" : "\(text(first)) to \(text(last))"
    guard let end = data.days.last?.day, end != last else { return exposures }
    return "\(exposures), conversions until \(text(end))"
  }

  /// Whether any variant is compared with the control.
  var hasComparisons: Bool { metrics.contains { $0.rows.contains { $0.comparison != nil } } }

  func part(of share: Share) -> Double { data.users == 0 ? 0 : Double(share.users) / Double(data.users) }

  /// Remarks on excluded events and on the reliability of the data and metrics, in sentences.
  var remarks: [String] { exclusions + notesOnEvents + notesOnMetrics }

  private static func remark(_ count: Int, _ one: String, _ many: String) -> String? {
    count > 0 ? "\(count.grouped) \(count == 1 ? one : many)" : nil
  }

  private var exclusions: [String] {
    let excluded = data.excluded
    let use = settings.covariates.isEmpty ? "left out" : "left out, but for adjusting"
    return [
      Self.remark(
        excluded.conversionsBefore, "conversion before the first exposure of its user \(use)",
        "conversions before the first exposure of their user \(use)"),
      data.window.map { window in
        let count = "\(excluded.conversionsAfter.grouped) later \(excluded.conversionsAfter == 1 ? "one" : "ones")"
        return "conversions count for \(window) after the first exposure of their user: \(count) left out"
      },
      Self.remark(
        excluded.conversionsOfOthers, "conversion of a user who was not exposed left out",
        "conversions of users who were not exposed left out"),
      Self.remark(
        excluded.duplicates, "conversion that was sent twice counted once",
        "conversions that were sent again left out"),
    ].compactMap { $0 }
  }

  private var notesOnEvents: [String] {
    let notes = data.notes
    var remarks = [
      Self.remark(
        notes.unknownKinds, "event of an unknown kind passed over", "events of unknown kinds passed over"),
      Self.remark(
        notes.unknownMembers, "unknown member of an event passed over", "unknown members of events passed over"),
    ].compactMap { $0 }
    if let rates = notes.rates, rates.lowerBound < 1 {
      let text =
        rates.lowerBound == rates.upperBound
        ? "of \(rates.upperBound.share()) of all users: numbers are theirs"
        : "of \(rates.lowerBound.share()) to \(rates.upperBound.share()) of all users: shares may differ for that"
      remarks.append("events are \(text)")
    }
    if settings.isSplitPartial {
      remarks.append("planned shares are those of the rule's split: other users of the rule are not planned")
    }
    if notes.versions.count > 1 {
      remarks.append("\(notes.versions.count) versions of the definitions: shares may have changed while it ran")
    }
    return remarks
  }

  private var notesOnMetrics: [String] {
    var told: Set<String> = []
    var remarks = metrics.map(\.metric.name).filter { name in
      told.insert(name).inserted && !data.variants.contains { ($0.conversions[name]?.users ?? 0) > 0 }
    }.map { "no conversion that counts is named \($0.quoted)" }
    if settings.prior.variance.isFinite {
      let (mean, variance) = (settings.prior.mean, settings.prior.variance)
      remarks.append("chances to win start from a prior of relative effects: mean \(mean), variance \(variance)")
    }
    if let cap = data.cap {
      let quantile = (Double(cap.millionths) / Double(CapQuantile.million)).percent(4)
      let limits = metrics.filter { $0.metric.kind == .sum && $0.metric.per == nil }.compactMap { result in
        data.caps[result.metric.name].map { "\(result.metric.name.quoted) at \($0.short())" }
      }
      let list = Set(limits).sorted().joined(separator: ", ")
      remarks.append("sums of values are capped at \(quantile) of all users with any: \(list.isEmpty ? "none" : list)")
      if metrics.contains(where: { $0.metric.per != nil }) { remarks.append("ratios are not capped") }
    }
    if let attribute = data.attribute, data.segments.map(\.name) == [ExperimentData.nameWithoutValue] {
      remarks.append("no first exposure of a user has the attribute \(attribute.quoted)")
    }
    if metrics.isEmpty { remarks.append("no conversions that count, and so no metrics") }
    return remarks
  }
}

extension ExperimentAnalysis.Row {
  /// The reason why there is no comparison; nil if there is one, and for the control.
  var absence: String? {
    failure.map { error in
      error.code == .tooFewConversions
        ? "no verdict: \(error.message)" : "no answer: \(error.subject): \(error.message)"
    }
  }
}

extension ExperimentAnalysis {
  /// A remark on the looks at which verdicts hold.
  var validity: String {
    switch settings.looks {
    case .any: "verdicts, p-values and intervals hold at any number of looks"
    case .one: "verdicts, p-values and intervals hold at one look, planned before the start"
    }
  }

  /// Returns the name of a metric's intervals; each end of a guardrail's holds by itself.
  func intervalName(_ metric: Metric) -> String {
    let level = (1 - settings.alpha).percent(4)
    return metric.margin == nil ? "\(level) interval" : "each end at \(level)"
  }

  /// Returns the name of a metric's p-values.
  func pName(_ metric: Metric) -> String {
    guard metric.margin == nil else { return "" }
    return switch settings.correction {
    case .holm: "p (Holm)"
    case .benjaminiHochberg: "p (BH)"
    case nil: "p"
    }
  }

  /// Returns sentences on the reduction of variance by adjusting a metric by its value before the exposure.
  func adjustments(of result: MetricResult) -> [String] {
    result.rows.compactMap { row in
      row.comparison?.adjustment.map { adjustment in
        "\(row.variant.cut(to: 16)): adjusted by the value before exposure (CUPED): "
          + "variance \((-adjustment.varianceReduction).share())"
      }
    }
  }

  /// Returns a summary of a metric, for a guardrail with its margin.
  func summary(_ metric: Metric) -> String {
    let text = metric.summary
    guard let margin = metric.margin else { return text }
    let limit =
      settings.scale == .relative
      ? margin.percent(4) : metric.isShare ? "\((margin * 100).fixed(2)) pp" : margin.short()
    return "\(text), at most \(limit) worse"
  }
}
