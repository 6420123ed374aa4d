"""Makes experiments.jsonl: imbalance by scipy and exact fractions, ratios by the values of each user; see README.md."""

import fractions
import json
import math

import numpy
import scipy.stats

COUNTS = [
    ([1, 0], [100, 100]), ([0, 1], [9900, 100]), ([11, 0], [500, 500]), ([5, 0], [10, 990]), ([0, 0], [10, 10]),
    ([30, 10], [1000, 1000]), ([12, 90], [300, 900]), ([600, 700], [5000, 5100]), ([1000, 1000], [2000, 2000]),
    ([3, 3, 0], [100, 100, 100]), ([20, 1, 4], [200, 150, 90]), ([10, 10], [10, 10]), ([40, 0], [20000, 20000]),
    ([150, 310], [1000, 1000]), ([700, 800], [1000, 1000]),
]


def exact(count, drawn, marked, users):
    """Fisher's two-sided p-value in exact fractions."""
    least = max(0, marked - (users - drawn))
    weights = [math.comb(drawn, x) * math.comb(users - drawn, marked - x) for x in range(least, min(marked, drawn) + 1)]
    limit = weights[count - least] * (1 + fractions.Fraction(1, 10**7))
    return fractions.Fraction(sum(weight for weight in weights if weight <= limit), sum(weights))


def imbalance(counts, users):
    marked, every = sum(counts), sum(users)
    p = [float(exact(x, n, marked, every)) for x, n in zip(counts, users)]
    for (x, n), ours in zip(zip(counts, users), p):
        reference = scipy.stats.fisher_exact([[x, n - x], [marked - x, every - n - marked + x]])[1]
        assert math.isclose(ours, reference, rel_tol=1e-9), (counts, users, ours, reference)
    factor = len(p) if len(p) > 2 else 1
    return {"p": min(1, min(p) * factor)}


def linear(numerators, denominators):
    """Each user's part of a ratio of sums, by the first terms of its Taylor series: their mean is the ratio."""
    ratio = numerators.sum() / denominators.sum()
    return ratio + (numerators - ratio * denominators) / denominators.mean()


def ratio(seed):
    random_numbers = numpy.random.default_rng(seed)
    groups = []
    for lift in (1, 1.1):
        orders = random_numbers.poisson(1.5, 40).astype(float)
        orders[0] = 2
        values = numpy.round(orders * random_numbers.gamma(3, 8, 40) * lift, 2)
        groups.append((values, orders))
    a, b = [linear(*group) for group in groups]
    test = scipy.stats.ttest_ind(b, a, equal_var=False)
    interval = test.confidence_interval()
    return {
        "kind": "ratio",
        "in": {name: {"numerators": list(values), "denominators": list(orders)}
               for name, (values, orders) in zip("ab", groups)},
        "out": {"means": [a.mean(), b.mean()], "variances": [a.var(ddof=1), b.var(ddof=1)],
                "estimate": b.mean() - a.mean(), "p": test.pvalue, "dof": test.df,
                "ci": [interval.low, interval.high]},
        "oracle": "scipy", "rel": 1e-10,
    }


for counts, users in COUNTS:
    entry = {"kind": "imbalance", "in": {"counts": counts, "users": users}, "out": imbalance(counts, users)}
    print(json.dumps(entry | {"oracle": "fractions = scipy", "rel": 1e-10}))
for seed in range(6):
    print(json.dumps(ratio(seed)))
