package import HoldfastTrust

/// The command that shows what a server presents to the network of the person who runs it.
package enum ProbeCommand {
    /// Returns the command for a host and a port; a port of 0 is unknown. The host is canonical, so that it contains no
    /// character with a meaning in a shell.
    package static func text(_ host: CanonicalHost, port: Int) -> String {
        let name = if case .ipv6 = host.kind { "'[\(host.text)]'" } else { ShellWord.quoted(host.text) ?? "HOST" }
        let target = port == 0 || port == 443 ? name : "\(name):\(port)"
        return "holdfast probe \(target) --policy POLICY.json"
    }
}
