public import HoldfastTrust

extension PolicyFormats {
    /// The format that bytes are most likely in; `nil` if they look like none. An Info.plist with both kinds of pins counts
    /// as TrustKit's.
    public static func detect(_ bytes: [UInt8]) -> PolicyFormat? {
        if bytes.starts(with: "bplist".utf8) { return .trustKit }
        let body = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
        guard let start = body.firstIndex(where: { $0 > 0x20 }) else { return nil }
        let rest = body[start...]
        if rest.first == UInt8(ascii: "<") { return detectXML(Array(bytes)) }
        if rest.first == UInt8(ascii: "{") || rest.starts(with: "//".utf8) {
            if let found = detectJSON(bytes) { return found }
        }
        let head = String(decoding: withoutComments(rest).prefix(4_096), as: UTF8.self).lowercased()
        if head.hasPrefix("public-key-pins") || head.hasPrefix("pin-") || head.contains("pin-sha256=") { return .hpkp }
        if head.hasPrefix("sha256//") || head.hasPrefix("--pinnedpubkey") || head.hasPrefix("pinnedpubkey") {
            return .curl
        }
        if head.contains("sha256/") || head.contains("sha1/") { return .okHttp }
        return nil
    }

    /// A text from its first line on that is no comment.
    private static func withoutComments(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var rest = text
        while rest.first == UInt8(ascii: "#") {
            rest = rest.drop { $0 != UInt8(ascii: "\n") }.drop { $0 <= 0x20 }
        }
        return rest
    }

    private static func detectXML(_ bytes: [UInt8]) -> PolicyFormat? {
        guard let root = try? XMLReader.read(bytes, doctype: "plist") else {
            // Damaged, but the reader of the format it was meant to be says better why.
            let head = String(decoding: bytes.prefix(4_096), as: UTF8.self)
            if head.contains("<network-security-config") { return .android }
            if head.contains("<plist") { return head.contains("NSPinnedDomains") ? .pinnedDomains : .trustKit }
            return nil
        }
        if root.name == "network-security-config" { return .android }
        guard root.name == "plist" else { return nil }
        guard let node = try? PropertyListReader.read(bytes) else { return .trustKit }
        return detect(node)
    }

    private static func detectJSON(_ bytes: [UInt8]) -> PolicyFormat? {
        guard let node = try? properties(ChromiumReader.withoutComments(bytes)) else {
            let head = String(decoding: bytes.prefix(4_096), as: UTF8.self)
            return head.contains("\"TSK") ? .trustKit : head.contains("\"pinsets\"") ? .chromium : .holdfast
        }
        return detect(node)
    }

    private static func detect(_ node: PropertyNode) -> PolicyFormat? {
        if node[TrustKitKey.configuration] != nil || node[TrustKitKey.domains] != nil { return .trustKit }
        if node[PinnedDomainsKey.transportSecurity]?.value[PinnedDomainsKey.domains] != nil
            || node[PinnedDomainsKey.domains] != nil
        {
            return .pinnedDomains
        }
        if node["pinsets"] != nil || node["entries"] != nil { return .chromium }
        if node["holdfast"] != nil || node["domains"] != nil { return .holdfast }
        return nil
    }
}
