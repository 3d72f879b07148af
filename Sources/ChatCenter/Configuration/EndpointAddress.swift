import HoldfastTrust

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// One address of the server, taken apart and checked.
struct EndpointAddress: Hashable, Sendable {
    /// In lower case.
    let scheme: String
    /// Host and, where given, port, as they belong in a URL.
    let authority: String
    /// Empty, or with a leading and without a trailing slash.
    let path: String

    /// The whole address, without a trailing slash.
    var text: String { scheme + "://" + authority + path }

    init?(_ given: String, for field: ChatTransportProblem.Field, problems: inout [ChatTransportProblem]) {
        let schemes = field == .webSocket ? ["wss", "ws"] : ["https", "http"]
        func refuse(_ code: ChatTransportProblem.Code, _ reason: String) {
            problems.append(ChatTransportProblem(field, code, given: given, reason: reason))
        }
        guard !given.isEmpty else {
            refuse(.empty, "The address is empty.")
            return nil
        }
        guard let parts = URLComponents(string: given) else {
            refuse(.malformed, "“\(given)” is no URL.")
            return nil
        }
        guard let scheme = parts.scheme?.lowercased(), schemes.contains(scheme) else {
            refuse(.wrongScheme, "“\(given)” must begin with \(schemes[0])://.")
            return nil
        }
        // The host comes from the text, not from `URLComponents.host`, which decodes percent signs for the reader:
        // what is checked here must be what is dialled later.
        guard parts.user == nil, parts.password == nil, parts.query == nil, parts.fragment == nil else {
            refuse(.unexpectedPart, "The address must not hold a user name, a query or a fragment.")
            return nil
        }
        guard let encodedHost = parts.encodedHost, !encodedHost.isEmpty else {
            refuse(.invalidHost, "“\(given)” names no host.")
            return nil
        }
        let host: CanonicalHost
        do throws(HostError) {
            host = try CanonicalHost(encodedHost)
        } catch {
            refuse(.invalidHost, error.reason)
            return nil
        }
        if let port = parts.port, !(1...65535).contains(port) {
            refuse(.invalidPort, "\(port) is no TCP port.")
            return nil
        }
        guard scheme == schemes[0] || host.isLoopback else {
            refuse(
                .cleartext,
                "“\(given)” is not encrypted. Use \(schemes[0])://; \(scheme):// is for a server on this machine.")
            return nil
        }
        self.scheme = scheme
        self.authority = encodedHost + (parts.port.map { ":\($0)" } ?? "")
        var path = Substring(parts.percentEncodedPath)
        while path.hasSuffix("/") { path.removeLast() }
        self.path = String(path)
    }

    /// Reads a host as ``ChatTransportConfig/init(cloudHost:apiVersion:)`` takes it: bare, with a port, or with a scheme.
    init?(cloudHost given: String, problems: inout [ChatTransportProblem]) {
        var found: [ChatTransportProblem] = []
        let lowered = given.lowercased()
        let address: EndpointAddress?
        if given.isEmpty {
            address = nil
            found.append(ChatTransportProblem(.cloudHost, .empty, given: given, reason: "The host is empty."))
        } else if lowered.hasPrefix("wss://") || lowered.hasPrefix("ws://") {
            address = EndpointAddress("http" + given.dropFirst(2), for: .cloudHost, problems: &found)
        } else if given.contains("://") {
            address = EndpointAddress(given, for: .cloudHost, problems: &found)
        } else {
            address = EndpointAddress("https://" + given, for: .cloudHost, problems: &found)
        }
        if let address, !address.path.isEmpty {
            found.append(
                ChatTransportProblem(
                    .cloudHost, .unexpectedPart, given: given,
                    reason: "“\(given)” holds a path. Give the host alone, or name the three addresses one by one."))
        }
        guard found.isEmpty, let address else {
            problems += found
            return nil
        }
        self = address
    }
}
