public import HoldfastTrust

extension PolicyFormats {
    /// Reads a policy that is a property list in memory already: TrustKit's configuration (the dictionary itself, or one
    /// with `TSKConfiguration` in it), or a dictionary with `NSPinnedDomains`. The rules are those of the file.
    ///
    /// Never throws: what is wrong is in the document's diagnostics, and `policy()` throws it. A format that is no
    /// property list is the error `no-property-list`.
    public static func read(
        propertyList root: PropertyNode, as format: PolicyFormat, named name: String = ""
    ) -> PolicyDocument {
        let name = name.isEmpty ? format.rawValue : name
        switch format {
        case .trustKit: return TrustKitReader.read(root, name: name)
        case .pinnedDomains: return PinnedDomainsReader.read(root, name: name)
        case .holdfast, .android, .okHttp, .hpkp, .chromium, .curl:
            var findings = Findings()
            findings.error(
                "no-property-list", "policies in the format \(format.rawValue) are not written as property lists", "",
                nil)
            return failed(format, name, findings)
        }
    }
}
