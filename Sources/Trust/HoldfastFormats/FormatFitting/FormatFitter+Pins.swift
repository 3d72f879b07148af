import HoldfastTrust

extension FormatFitter {
    /// Reduces the pins of a rule to those that the target can express, with the scopes that it supports.
    mutating func fitPins(_ domain: inout FittedDomain) {
        for pin in domain.pins where pin.domain != .spki {
            report.warning(at: domain, .pinLost, "\(pin) is not the hash of an SPKI and cannot be expressed")
        }
        domain.pins.removeAll { $0.domain != .spki }
        let scopes = Set(domain.pins.map(\.scope))
        let severalNeeded = scopes.count > 1 && (domain.everyScopeMustMatch || !domain.requiredScopes.isEmpty)
        if can.scopes == [.any] {
            if severalNeeded {
                report.warning(
                    at: domain, .everyScopeLost,
                    "one match will be enough where a certain scope, or each scope, had to match")
            }
            if !scopes.isSubset(of: [.any]) {
                report.warning(
                    at: domain, .scopeWidened,
                    "leaf and CA pins of \(domain.pattern) will match any certificate of the path")
            }
            domain.pins = domain.pins.map { Pin($0.sha256, domain: $0.domain) }.distinct()
        } else if can.scopes == [.leaf] {
            if severalNeeded {
                report.warning(
                    at: domain, .everyScopeLost,
                    "only the server's own key will be compared, where a CA had to match too")
            }
            keepLeaves(&domain, scopes)
        } else {
            splitByScope(&domain, scopes)
            // In the target, an empty list refuses every connection, as an unmet scope does here. The target does not
            // have a list for pins that match anywhere.
            domain.requiredScopes = domain.refusesEverything ? domain.requiredScopes.subtracting([.any]) : []
            return
        }
        domain.everyScopeMustMatch = false
        domain.requiredScopes = []
    }

    private mutating func keepLeaves(_ domain: inout FittedDomain, _ scopes: Set<Pin.Scope>) {
        for pin in domain.pins where pin.scope == .ca {
            report.warning(at: domain, .pinLost, "\(pin) is for CAs, but the target compares only the server's own key")
        }
        if scopes.contains(.any) {
            report.warning(at: domain, .scopeNarrowed, "pins of \(domain.pattern) will match only the server's own key")
        }
        domain.pins = domain.pins.filter { $0.scope != .ca }.map { Pin($0.sha256, domain: $0.domain, scope: .leaf) }
            .distinct()
    }

    private mutating func splitByScope(_ domain: inout FittedDomain, _ scopes: Set<Pin.Scope>) {
        if scopes.contains(.any) {
            let scope: Pin.Scope = scopes.contains(.leaf) && !scopes.contains(.ca) ? .leaf : .ca
            report.warning(
                at: domain, .scopeChosen,
                "pins of \(domain.pattern) without a scope become \(scope == .ca ? "CA" : "leaf") identities; "
                    + "a pin of the other kind no longer matches"
            )
            domain.pins = domain.pins.map { $0.scope == .any ? Pin($0.sha256, domain: $0.domain, scope: scope) : $0 }
                .distinct()
        }
        if Set(domain.pins.map(\.scope)).count > 1, !domain.everyScopeMustMatch {
            report.warning(
                at: domain, .bothScopesNeeded,
                "a leaf and a CA identity must both match in the target, where one match was enough")
        }
    }
}
