import HoldfastBase

extension PolicyDocument {
    /// The maximum number of pins of all domains in total. A shared pin set counts for each domain that uses it,
    /// because each rule contains its own copy of the pins.
    ///
    /// - Error: `PolicyError`
    package static let maximumPins = 1_000_000

    /// Whether the domains have more than ``maximumPins`` pins in total.
    package var hasTooManyPins: Bool {
        let sets = Dictionary(pinSets.map { ($0.name, $0.pins.count) }) { first, _ in first }
        var count = 0
        for domain in domains {
            count += domain.pins.count + (domain.pinSetName.flatMap { sets[$0] } ?? 0)
            if count > PolicyDocument.maximumPins { return true }
        }
        return false
    }

    /// Returns the policy that the document describes.
    ///
    /// - Throws: ``PolicyError`` with every problem: errors of the reader, unreadable pins and hosts, unknown pin sets,
    ///   empty pin lists if the format forbids them, missing backup pins, and hosts that are duplicates in canonical
    ///   form. If the domains have more than a million pins in total, that is the only problem reported.
    public func policy() throws(PolicyError) -> PinningPolicy {
        guard !hasTooManyPins else {
            throw PolicyError(problems: [
                .init(path: "", reason: "the domains have more than \(PolicyDocument.maximumPins) pins in total")
            ])
        }
        var problems = diagnostics.filter { $0.severity == .error }.map(PolicyError.Problem.init)
        let sets = Dictionary(pinSets.map { ($0.name, $0) }) { first, _ in first }
        var rules: [PinningRule] = []
        var places: [String] = []
        for domain in domains {
            guard let pattern = domain.pattern else { continue }
            var pins = domain.pins
            if let name = domain.pinSetName {
                if let set = sets[name] {
                    pins += set.pins
                } else {
                    problems.append(
                        PolicyError.Problem(
                            path: domain.path, position: domain.position,
                            reason: "the pin set \"\(Printable.text(name))\" does not exist"))
                    continue
                }
            }
            guard let rule = rule(for: domain, pattern, pins, &problems) else { continue }
            rules.append(rule)
            places.append(domain.path)
        }
        let unreadable = (domains.flatMap(\.pins) + pinSets.flatMap(\.pins) + denied).filter { $0.pin == nil }
        let known = Set(problems.map(\.path))
        for pin in unreadable where !known.contains(pin.path) {
            problems.append(
                PolicyError.Problem(
                    path: pin.path, position: pin.position,
                    reason: "\"\(Printable.text(pin.text))\" is not a valid pin: expected 32 bytes in base64"))
        }
        do throws(PolicyError) {
            let policy = try PinningPolicy(
                name: name, rules: rules, precedence: semantics.precedence, denied: denied.compactMap(\.pin),
                requiresRuleForEveryHost: semantics.requiresRuleForEveryHost, anchors: anchors,
                backupPins: semantics.backupPins, allowsEmptyPins: semantics.emptyPins != .error, places: places)
            guard problems.isEmpty else { throw PolicyError(problems: problems) }
            return policy
        } catch {
            // Known problems are not reported twice.
            let paths = Set(problems.map(\.path))
            let more = error.problems.filter { !paths.contains($0.path) }
            throw PolicyError(problems: located(problems + more))
        }
    }

    private func rule(
        for domain: PolicyDomain, _ pattern: HostPattern, _ pins: [PolicyPin], _ problems: inout [PolicyError.Problem]
    ) -> PinningRule? {
        var isExcluded = domain.isExcluded
        if !isExcluded, pins.isEmpty, domain.requiredScopes.isEmpty {
            switch semantics.emptyPins {
            case .error:
                problems.append(
                    PolicyError.Problem(
                        path: domain.path, position: domain.position, reason: "the rule for \(pattern) has no pins"))
                return nil
            // If all rules that cover a host are combined, a rule without pins has no effect, unless it requires
            // certificate timestamps.
            case .unpinned where semantics.precedence == .union && domain.transparency == nil: return nil
            case .unpinned: isExcluded = true
            case .refuse: break
            }
        }
        return PinningRule(
            pattern, pins: PinSet(isExcluded ? [] : pins.compactMap(\.pin)), pinSetName: domain.pinSetName,
            everyScopeMustMatch: domain.everyScopeMustMatch, requiredScopes: domain.requiredScopes,
            enforcement: domain.enforcement, expires: domain.expires,
            isExcluded: isExcluded, reportURIs: domain.reportURIs, transparency: domain.transparency)
    }

    /// Adds the positions of the document's elements to problems that have only a path.
    private func located(_ problems: [PolicyError.Problem]) -> [PolicyError.Problem] {
        var positions: [String: SourcePosition] = [:]
        for domain in domains { positions[domain.path] = domain.position }
        return problems.map { problem in
            guard problem.position == nil else { return problem }
            var problem = problem
            problem.position = positions[problem.path]
            return problem
        }
    }
}
