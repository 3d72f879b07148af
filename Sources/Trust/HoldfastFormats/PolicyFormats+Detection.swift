public import HoldfastTrust

extension PolicyFormats {
    /// Returns the most likely format of the bytes, or `nil` if no format is recognized. An Info.plist with both kinds
    /// of pins is detected as TrustKit's format.
    public static func detect(_ bytes: [UInt8]) -> PolicyFormat? {
        if bytes.starts(with: "bplist".utf8) { return .trustKit }
        let body = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
        let rest = withoutComments(body)
        guard let first = rest.first else { return nil }
        if first == UInt8(ascii: "<") { return detectXML(Array(bytes)) }
        if first == UInt8(ascii: "{"), let found = detectJSON(bytes) { return found }
        let head = String(decoding: rest.prefix(4_096), as: UTF8.self).lowercased()
        if head.hasPrefix("public-key-pins") || head.hasPrefix("pin-") || head.contains("pin-sha256=") { return .hpkp }
        if head.hasPrefix("sha256//") || head.hasPrefix("--pinnedpubkey") || head.hasPrefix("pinnedpubkey") {
            return .curl
        }
        // Source code may have a lot of text before its pins.
        let pins = rest.prefix(1 << 20)
        if pins.contains("sha256/") || pins.contains("sha1/") { return .okHttp }
        return nil
    }

    /// Returns the text from the first character that is neither white space nor part of a comment in one of the
    /// formats.
    ///
    /// A text that consists only of comments is returned unchanged: its pins may be commented out.
    private static func withoutComments(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var rest = text.drop { $0 <= 0x20 }
        let start = rest
        while true {
            if rest.first == UInt8(ascii: "#") || rest.starts(with: "//".utf8) {
                rest = rest.drop { $0 != UInt8(ascii: "\n") }
            } else if rest.starts(with: "/*".utf8) {
                rest = rest.dropFirst(2)
                while let star = rest.firstIndex(of: UInt8(ascii: "*")) {
                    rest = rest[rest.index(after: star)...]
                    if rest.first == UInt8(ascii: "/") { break }
                }
                rest = rest.first == UInt8(ascii: "/") ? rest.dropFirst() : []
            } else {
                return rest.isEmpty ? start : rest
            }
            rest = rest.drop { $0 <= 0x20 }
        }
    }

    private static func detectXML(_ bytes: [UInt8]) -> PolicyFormat? {
        guard let root = try? XMLReader.read(bytes, doctype: "plist") else {
            // The file is damaged. The reader of the likely format gives the better error message.
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

extension ArraySlice<UInt8> {
    /// Returns whether the bytes contain the text.
    fileprivate func contains(_ text: StaticString) -> Bool {
        text.withUTF8Buffer { text in
            guard let first = text.first else { return true }
            return indices.contains { self[$0] == first && self[$0...].starts(with: text) }
        }
    }
}
