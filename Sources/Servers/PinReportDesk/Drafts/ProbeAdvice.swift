package import HoldfastTrust

/// The command that looks at a host from this machine.
package enum ProbeAdvice {
    /// Returns the command for a host and a port; a port of 0 is unknown. The host is canonical, so that it contains no
    /// character with a meaning in a shell.
    package static func command(_ host: CanonicalHost, port: Int, policy: String = PolicyDraft.fileName) -> String {
        let name = if case .ipv6 = host.kind { "'[\(host.text)]'" } else { ShellWord.quoted(host.text) ?? "HOST" }
        let target = port == 0 || port == 443 ? name : "\(name):\(port)"
        return "holdfast probe \(target) --policy \(policy)"
    }
}
