import HoldfastTrust

extension RequestURL {
    /// The origin of a URL (RFC 6454): scheme, host and port. Credentials belong to an origin.
    package struct Origin: Hashable, Sendable {
        var scheme: Scheme
        var host: CanonicalHost
        var port: UInt16
    }

    /// The origin of the URL.
    package var origin: Origin { Origin(scheme: scheme, host: host, port: port) }

    /// Resolves a reference from a `Location` field against this URL (RFC 3986, 5.2). The fragment is dropped.
    ///
    /// Throws `redirectRefused` for an invalid URI reference, for a scheme other than http and https, and for an
    /// invalid host. A backslash is refused, because some parsers treat it as a slash and would see another host.
    package func resolving(_ reference: String) throws(TransportError) -> RequestURL {
        guard reference.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") }) else {
            throw Self.refused("The location contains a character that is not valid in a URL.")
        }
        var rest = reference.prefix { $0 != "#" }
        var scheme = self.scheme.rawValue
        let named = Self.scheme(of: rest)
        if let named {
            scheme = named.asciiLowercased
            rest = rest.dropFirst(named.count + 1)
            guard scheme == "http" || scheme == "https" else {
                throw Self.refused("The location's scheme is neither http nor https.")
            }
            // Some parsers read `https:path` as a relative reference, others as a host.
            guard rest.hasPrefix("//") else { throw Self.refused("The location has a scheme but no host.") }
        }
        do throws(TransportError) {
            if rest.hasPrefix("//") {
                rest = rest.dropFirst(2)
                let authority = rest.prefix { $0 != "/" && $0 != "?" }
                let (path, query) = Self.split(rest.dropFirst(authority.count))
                return try RequestURL(
                    scheme: scheme, authority: String(authority), path: Self.target(Self.removingDots(path), query))
            }
            let (basePath, baseQuery) = target == "*" ? ("/", nil) : Self.split(target[...])
            let (path, query) = Self.split(rest)
            let resolved: String
            if path.isEmpty {
                resolved = Self.target(basePath, query ?? baseQuery)
            } else if path.hasPrefix("/") {
                resolved = Self.target(Self.removingDots(path), query)
            } else {
                let folder = basePath[...(basePath.lastIndex(of: "/") ?? basePath.startIndex)]
                resolved = Self.target(Self.removingDots(folder + path), query)
            }
            return try RequestURL(scheme: scheme, authority: authority, path: resolved)
        } catch {
            throw Self.refused("The location cannot be followed: \(error.reason)")
        }
    }

    /// Returns the text before the first colon if it is a valid scheme (RFC 3986, 3.1) and precedes the path.
    private static func scheme(of reference: Substring) -> Substring? {
        guard let end = reference.firstIndex(where: { ":/?".contains($0) }), reference[end] == ":" else { return nil }
        let scheme = reference[..<end]
        let isScheme =
            scheme.first?.isLetter == true
            && scheme.allSatisfy { $0.isLetter || $0.isNumber || $0 == "+" || $0 == "-" || $0 == "." }
        return isScheme ? scheme : nil
    }

    private static func split(_ target: Substring) -> (path: String, query: String?) {
        guard let mark = target.firstIndex(of: "?") else { return (String(target), nil) }
        return (String(target[..<mark]), String(target[target.index(after: mark)...]))
    }

    private static func target(_ path: String, _ query: String?) -> String {
        (path.isEmpty ? "/" : path) + (query.map { "?" + $0 } ?? "")
    }

    /// Removes dot segments from a path that starts with a slash (RFC 3986, 5.2.4).
    private static func removingDots(_ path: some StringProtocol) -> String {
        guard path.contains("/.") else { return String(path) }
        var kept: [Substring] = []
        let segments = String(path)[...].split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        for (index, segment) in segments.enumerated() {
            let isLast = index == segments.count - 1
            switch segment {
            case ".":
                if isLast { kept.append("") }
            case "..":
                _ = kept.popLast()
                if isLast { kept.append("") }
            default:
                kept.append(segment)
            }
        }
        return "/" + kept.joined(separator: "/")
    }

    private static func refused(_ reason: String) -> TransportError {
        TransportError(.redirectRefused, in: .awaitingResponse, reason)
    }
}
