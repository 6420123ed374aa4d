"""Compares the figures in this folder with what reference implementations give now; README.md says how to run it."""

import collections
import json
import math
import pathlib

import mpmath
import scipy.stats
import statsmodels.stats.proportion as proportions

mpmath.mp.dps = 60


def moments(group):
    mean = group["sum"] / group["n"]
    return mean, (group["sumOfSquares"] / group["n"] - mean**2) * group["n"] / (group["n"] - 1), group["n"]


def welch(given):
    """Welch's test of an absolute difference; None for a relative one, which scipy does not have."""
    if given["difference"] != "absolute" or "sumOfSquares" not in given["a"]:
        return None
    (a, v, n), (b, w, m) = moments(given["a"]), moments(given["b"])
    test = scipy.stats.ttest_ind_from_stats(b, math.sqrt(w), m, a, math.sqrt(v), n, equal_var=False)
    interval = test.confidence_interval if hasattr(test, "confidence_interval") else None
    return {"estimate": b - a, "t": test.statistic, "p": test.pvalue, "dof": getattr(test, "df", None), "ci": interval}


def two_proportions(given):
    (x, n), (y, m) = [(given[group]["sum"], given[group]["n"]) for group in "ab"]
    z, p = proportions.proportions_ztest([y, x], [m, n])
    ratio = proportions.confint_proportions_2indep(y, m, x, n, method="score", compare="ratio", correction=False)
    return {
        "difference": y / m - x / n, "z": z, "p": p, "score95": score_interval(x, n, y, m), "scoreRatio95": list(ratio),
    }


def score_interval(x, n, y, m):
    """The differences of shares that are not 1.96 standard errors away, each with the most likely shares of its own."""

    def bisected(inside, outside, is_inside):
        for _ in range(150):
            middle = (inside + outside) / 2
            inside, outside = (middle, outside) if is_inside(middle) else (inside, middle)
        return inside

    def is_close(difference):
        def rises(share):
            parts = [(x, share), (x - n, 1 - share), (y, share + difference), (y - m, 1 - share - difference)]
            return sum(count / part for count, part in parts if count) > 0

        share = bisected(max(mpmath.mpf(0), -difference), min(mpmath.mpf(1), 1 - difference), rises)
        other = share + difference
        error = mpmath.sqrt(share * (1 - share) / n + other * (1 - other) / m)
        return abs(estimate - difference) <= mpmath.sqrt(2) * mpmath.erfinv(mpmath.mpf("0.95")) * error

    estimate = mpmath.mpf(y) / m - mpmath.mpf(x) / n
    return [float(bisected(estimate, mpmath.mpf(end), is_close)) for end in (-1, 1)]


def sample_ratio(given):
    expected = [weight / sum(given["weights"]) * sum(given["users"]) for weight in given["weights"]]
    test = scipy.stats.chisquare(given["users"], expected)
    return {"chi2": test.statistic, "dof": len(expected) - 1, "p": test.pvalue}


def sample_size(given):
    a, b = given["baseline"], given["baseline"] + given["difference"]
    quantiles = scipy.stats.norm.ppf(1 - given["alpha"] / 2) + scipy.stats.norm.ppf(given["power"])
    exact = quantiles**2 * (a * (1 - a) + b * (1 - b)) / given["difference"] ** 2
    return {"exact": exact, "perGroup": math.ceil(exact)}


def t_tail(x, dof):
    tail = mpmath.betainc(mpmath.mpf(dof) / 2, 0.5, 0, dof / (dof + mpmath.mpf(x) ** 2), regularized=True) / 2
    return tail if x >= 0 else 1 - tail


references = {
    "normal.sf": lambda given: mpmath.erfc(mpmath.mpf(given["x"]) / mpmath.sqrt(2)) / 2,
    "normal.quantile": lambda given: scipy.stats.norm.ppf(given["p"]),
    "chi2.sf": lambda given: mpmath.gammainc(
        mpmath.mpf(given["dof"]) / 2, mpmath.mpf(given["x"]) / 2, mpmath.inf, regularized=True),
    "t.sf": lambda given: t_tail(given["x"], given["dof"]),
    "t.quantile": lambda given: scipy.stats.t.ppf(given["p"], given["dof"]),
    "srm": sample_ratio, "twoProportions": two_proportions, "welch": welch, "sampleSize": sample_size,
}


def agree(ours, reference, tolerance, slack):
    if reference is None:
        return True
    if isinstance(reference, dict):
        return all(agree(ours[name], value, tolerance, slack) for name, value in reference.items())
    if isinstance(reference, (list, tuple)):
        return all(agree(*pair, tolerance, slack) for pair in zip(ours, reference))
    return abs(ours - reference) <= tolerance * abs(reference) + slack


checked, differ = collections.Counter(), 0
for line in open(pathlib.Path(__file__).parent / "statistics.jsonl", encoding="utf-8"):
    entry = json.loads(line)
    reference = references.get(entry["kind"], lambda given: None)(entry["in"])
    if reference is None:
        continue
    checked[entry["kind"]] += 1
    # What is 0 but for rounding has no relative error; of a tail every digit counts, however small it is.
    if not agree(entry["out"], reference, entry["rel"], 0 if entry["kind"].endswith(".sf") else 1e-15):
        differ += 1
        print(f"{line.strip()}\n  {reference}")
print(", ".join(f"{kind} {count}" for kind, count in checked.items()) + f": {differ} differ")
raise SystemExit(1 if differ else 0)
