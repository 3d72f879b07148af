package import HoldfastTrust

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The three validated addresses of a chat server, without a trailing slash.
package struct ChatEndpoints: Hashable, Sendable {
    /// The base address of the REST calls.
    package let rest: EndpointAddress
    /// The address of the socket.
    package let webSocket: EndpointAddress
    /// The base address of the file transfers.
    package let dataStore: EndpointAddress

    init?(rest: String, webSocket: String, dataStore: String, problems: inout [ChatTransportProblem]) {
        let rest = EndpointAddress(rest, for: .rest, problems: &problems)
        let webSocket = EndpointAddress(webSocket, for: .webSocket, problems: &problems)
        let dataStore = EndpointAddress(dataStore, for: .dataStore, problems: &problems)
        guard let rest, let webSocket, let dataStore else { return nil }
        self.rest = rest
        self.webSocket = webSocket
        self.dataStore = dataStore
    }

    init?(cloudHost given: String, problems: inout [ChatTransportProblem]) {
        guard let address = EndpointAddress(cloudHost: given, problems: &problems) else { return nil }
        self.rest = address
        self.webSocket = address.derived(scheme: address.scheme == "https" ? "wss" : "ws", path: "/socket")
        self.dataStore = address.derived(scheme: address.scheme, path: "/files")
    }

    /// The servers, as `host:port`.
    var servers: Set<String> {
        Set([rest, webSocket, dataStore].map { "\($0.host.text):\($0.port)" })
    }
}

/// One validated address of the server, split into its parts.
package struct EndpointAddress: Hashable, Sendable, CustomStringConvertible {
    /// The scheme, in lower case.
    package let scheme: String
    /// The host in canonical form.
    package let host: CanonicalHost
    /// The port; the scheme's default port if the address contains none.
    package let port: UInt16
    /// The host and, if given, the port, as they appear in a URL.
    package let authority: String
    /// The path: empty, or with a leading slash and without a trailing one.
    package let path: String

    /// The whole address, without a trailing slash.
    package var text: String { scheme + "://" + authority + path }

    package var description: String { text }

    /// Returns the address of the same server with another scheme and path.
    func derived(scheme: String, path: String) -> EndpointAddress {
        EndpointAddress(scheme: scheme, host: host, port: port, authority: authority, path: path)
    }
}

extension EndpointAddress {
    /// Parses an address. Returns `nil` if it cannot be used, and appends the reasons to `problems`.
    init?(_ given: String, for field: ChatTransportProblem.Field, problems: inout [ChatTransportProblem]) {
        do throws(Flaw) {
            try self.init(given, for: field)
        } catch {
            problems.append(ChatTransportProblem(field, error.code, given: given, reason: error.reason))
            return nil
        }
    }

    /// The reason why an address cannot be used.
    private struct Flaw: Error {
        var code: ChatTransportProblem.Code
        var reason: String
    }

    private init(_ given: String, for field: ChatTransportProblem.Field) throws(Flaw) {
        let schemes = field == .webSocket ? ["wss", "ws"] : ["https", "http"]
        guard !given.isEmpty else { throw Flaw(code: .empty, reason: "The address is empty.") }
        guard let parts = URLComponents(string: given) else {
            throw Flaw(code: .malformed, reason: "“\(given)” is not a valid URL.")
        }
        guard let scheme = parts.scheme?.lowercased(), schemes.contains(scheme) else {
            throw Flaw(code: .wrongScheme, reason: "“\(given)” must begin with \(schemes[0])://.")
        }
        // Reads the host from the text, not from `URLComponents.host`, which decodes percent signs: the validated host
        // must be the host that is connected to later.
        guard parts.user == nil, parts.password == nil, parts.query == nil, parts.fragment == nil else {
            throw Flaw(
                code: .unexpectedPart, reason: "The address must not contain a user name, a query or a fragment.")
        }
        guard let encodedHost = parts.encodedHost, !encodedHost.isEmpty else {
            throw Flaw(code: .invalidHost, reason: "“\(given)” does not contain a valid host.")
        }
        let host: CanonicalHost
        do throws(HostError) {
            host = try CanonicalHost(encodedHost)
        } catch {
            throw Flaw(code: .invalidHost, reason: error.reason)
        }
        if let port = parts.port, !(1...65535).contains(port) {
            throw Flaw(code: .invalidPort, reason: "\(port) is not a valid TCP port. Use 1 to 65535.")
        }
        guard scheme == schemes[0] || host.isLoopback else {
            let hint = "Use \(schemes[0])://. Only a server on this machine can use \(scheme)://."
            throw Flaw(code: .cleartext, reason: "“\(given)” is not encrypted. \(hint)")
        }
        self.scheme = scheme
        self.host = host
        self.port = parts.port.map(UInt16.init) ?? (scheme == schemes[0] ? 443 : 80)
        self.authority = encodedHost + (parts.port.map { ":\($0)" } ?? "")
        var path = Substring(parts.percentEncodedPath)
        while path.hasSuffix("/") { path.removeLast() }
        self.path = String(path)
    }

    /// Parses a host in the forms of ``ChatTransportConfig/init(cloudHost:apiVersion:)``: bare, with a port, or with a
    /// scheme.
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
                    reason: "“\(given)” contains a path. Pass the host alone, or pass three separate addresses."))
        }
        guard found.isEmpty, let address else {
            problems += found
            return nil
        }
        self = address
    }
}
