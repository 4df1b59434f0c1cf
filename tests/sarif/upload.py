"""What GitHub refuses or silently mends when a log is uploaded, apart from the schema."""
import collections
import gzip
import json

LIMITS = {"runs": 20, "results": 25000, "rules": 25000, "tags": 20, "locations": 1000, "steps": 10000,
          "bytes": 10 << 20}


def _result_problems(index, result, rules):
    where = "result %d: " % index
    location = (result.get("locations") or [{}])[0].get("physicalLocation", {})
    if "uri" not in location.get("artifactLocation", {}) or "startLine" not in location.get("region", {}):
        yield where + "no physical location with a line"
    if "primaryLocationLineHash" not in result.get("partialFingerprints", {}):
        yield where + "no line hash, so every run opens the alert again"
    if not result.get("message", {}).get("text"):
        yield where + "no message text"
    if result.get("ruleId") not in rules:
        yield where + "its rule is not among the rules"
    if result.get("suppressions"):
        yield where + "a suppressed result, which opens an alert"
    if len(result.get("relatedLocations", [])) + len(result.get("locations", [])) > LIMITS["locations"]:
        yield where + "too many locations"
    for flow in result.get("codeFlows", []):
        if sum(len(thread["locations"]) for thread in flow["threadFlows"]) > LIMITS["steps"]:
            yield where + "too many steps"


def _rule_problems(rule):
    properties = rule.get("properties", {})
    if "security-severity" in properties:
        value = properties["security-severity"]
        if not isinstance(value, str) or not 0.0 < float(value) <= 10.0:
            yield rule["id"] + ": security-severity is not a string above 0.0 and at most 10.0"
    if len(properties.get("tags", [])) > LIMITS["tags"]:
        yield rule["id"] + ": too many tags"


def problems(log):
    """Everything that is wrong with the log, in words."""
    found = []
    runs = log.get("runs", [])
    if len(gzip.compress(json.dumps(log).encode())) > LIMITS["bytes"]:
        found.append("larger than 10 MB after compression")
    if len(runs) > LIMITS["runs"]:
        found.append("too many runs")
    kinds = collections.Counter((run["tool"]["driver"]["name"], run.get("automationDetails", {}).get("id"))
                                for run in runs)
    found += ["%d runs of %s in category %s" % (n, *kind) for kind, n in kinds.items() if n > 1]
    for run in runs:
        rules = {rule["id"] for rule in run["tool"]["driver"].get("rules", [])}
        for rule in run["tool"]["driver"].get("rules", []):
            found += _rule_problems(rule)
        if not isinstance(run.get("results"), list):
            found.append("a run without results")
            continue
        if len(run["results"]) > LIMITS["results"]:
            found.append("too many results")
        for index, result in enumerate(run["results"]):
            found += _result_problems(index, result, rules)
    return found
