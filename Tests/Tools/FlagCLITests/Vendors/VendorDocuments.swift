/// A document of each vendor, with the same flags.
enum VendorDocuments {
  static let growthBook = """
    {"features": {
      "plain": {"defaultValue": 20},
      "off": {"defaultValue": null},
      "spanish": {"defaultValue": false, "rules": [{"condition": {"country": "es"}, "force": true}]},
      "group": {"defaultValue": "a", "rules": [
        {"condition": {"$or": [{"plan": {"$in": ["pro", "team"]}}, {"age": {"$gte": 18, "$lt": 30}}]}, "force": "b"},
        {"condition": {"company": {"$inGroup": "large"}, "beta": {"$exists": true}}, "force": "c"}]},
      "rollout": {"defaultValue": false, "rules": [{"force": true, "coverage": 0.25}]},
      "checkout": {"defaultValue": "old", "rules": [
        {"variations": ["red", "blue"], "weights": [0.3, 0.7], "key": "checkout", "meta": [{"key": "r"}, {"key": "b"}]}]},
      "patterned": {"defaultValue": 1, "rules": [{"condition": {"email": {"$regex": "@x.com$"}}, "force": 2}]},
      "spaced": {"defaultValue": 1, "rules": [{"variations": [1, 2], "namespace": ["n", 0, 0.5]}]}
    }, "savedGroups": {"large": ["acme", "bolt"]}}
    """

  static let launchDarkly = """
    {"flags": {
      "off": {"key": "off", "on": false, "offVariation": 1, "variations": [true, false], "fallthrough": {"variation": 0}},
      "targeted": {"key": "targeted", "on": true, "offVariation": 1, "variations": ["a", "b", "c"],
        "targets": [{"values": ["ann"], "variation": 2}],
        "rules": [
          {"clauses": [{"attribute": "country", "op": "in", "values": ["es", "pt"], "contextKind": "user"},
            {"attribute": "plan", "op": "startsWith", "values": ["pro"], "negate": true, "contextKind": "user"}],
            "variation": 1},
          {"clauses": [{"attribute": "age", "op": "lessThan", "values": [18]}], "variation": 2},
          {"clauses": [{"op": "segmentMatch", "values": ["staff"]}], "variation": 1}],
        "fallthrough": {"variation": 0}},
      "split": {"key": "split", "on": true, "offVariation": 0, "salt": "s", "variations": [1, 2],
        "fallthrough": {"rollout": {"variations": [{"variation": 0, "weight": 40000}, {"variation": 1, "weight": 60000}]}}},
      "dated": {"key": "dated", "on": true, "variations": [1, 2], "fallthrough": {"variation": 0},
        "rules": [{"clauses": [{"attribute": "born", "op": "before", "values": [0]}], "variation": 1}]},
      "dependent": {"key": "dependent", "on": true, "variations": [1, 2], "fallthrough": {"variation": 0},
        "offVariation": 1, "prerequisites": [{"key": "off", "variation": 0}]}
    }, "segments": {"staff": {"key": "staff", "included": ["bob"], "excluded": ["eve"],
      "rules": [{"clauses": [{"attribute": "email", "op": "endsWith", "values": ["@x.com"]}]}]}}}
    """
}
