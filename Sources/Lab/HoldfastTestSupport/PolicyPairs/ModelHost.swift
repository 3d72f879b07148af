package import HoldfastTrust

/// A host as the model sees it: its labels, top level first, or an IP address.
package struct ModelHost: Hashable, Sendable {
    /// The host.
    package let host: CanonicalHost
    /// The labels of a name, top level first; the whole text of an IP address.
    let labels: [Substring]

    /// Takes a host apart.
    package init(_ host: CanonicalHost) {
        self.host = host
        labels = host.isIPLiteral ? [host.text[...]] : host.text.split(separator: ".").reversed()
    }

    /// How many labels the host has below `upper`; `nil` if it is neither `upper` nor below it.
    func labelsBelow(_ upper: ModelHost) -> Int? {
        if host.isIPLiteral || upper.host.isIPLiteral { return host == upper.host ? 0 : nil }
        guard labels.count >= upper.labels.count, labels.prefix(upper.labels.count) == upper.labels[...] else {
            return nil
        }
        return labels.count - upper.labels.count
    }
}
