import FlagConsole
import FlagDefinitions
import FlagDomain

/// The problems of an edited definition, and the effect of saving it.
struct ReviewCard {
  let form: EditorForm
  /// The review; nil if the form cannot be read.
  let review: DefinitionReview?

  var html: HTML {
    """
    <section class="card" id="review" aria-live="polite" aria-labelledby="review-title">
    <h2 id="review-title">Effect of saving</h2>
    \(form.problem.map { "<p class=\"problem\">\($0.message)</p>" as HTML })
    \(review?.ruleError.map { "<p class=\"problem\">The rule is not valid JSON. \($0.message)</p>" as HTML })
    \((review?.diagnostics ?? []).prefix(20).map(diagnostic))
    \(review.map { EffectView(tried: $0.tried, effect: $0.effect).html })
    </section>
    """
  }

  private func diagnostic(_ diagnostic: DocumentDiagnostic) -> HTML {
    """
    <p class="\(diagnostic.severity == .error ? "problem" : "warning")"><code>\(diagnostic.path)</code> \
    \(diagnostic.message) <span class="muted">line \(diagnostic.line)</span></p>
    """
  }
}
