public import HoldfastTrust

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A rule that selects the proxy for a connection.
///
/// By default no proxy is used, and the environment is not read. Loopback hosts are always reached directly, because
/// for the proxy they are its own machine.
public struct ProxySelection: Hashable, Sendable {
    /// No proxy.
    public static let none = ProxySelection()

    private var cleartext: ProxyServer?
    private var secure: ProxyServer?
    private var exceptions = ProxyExceptions.none

    private init() {}

    /// Returns a selection that uses one proxy for all connections except those to `exceptions`.
    public static func server(_ server: ProxyServer, except exceptions: ProxyExceptions = .none) -> ProxySelection {
        var selection = ProxySelection()
        selection.cleartext = server
        selection.secure = server
        selection.exceptions = exceptions
        return selection
    }

    /// Returns the proxies from the environment variables, which are read once.
    ///
    /// `HTTPS_PROXY` applies to `https:` and `wss:`, and `HTTP_PROXY` to `http:` and `ws:`. `ALL_PROXY` applies where
    /// neither does. `NO_PROXY` is a list of ``ProxyExceptions``. Lower-case names take precedence; an empty variable
    /// counts as absent.
    ///
    /// If `REQUEST_METHOD` is set, the program is a CGI script. Any client can then set `HTTP_PROXY` with a `Proxy:`
    /// header, so the variable is ignored.
    ///
    /// - Parameter variables: The environment; by default that of the process.
    /// - Throws: ``ProxyError`` with the variable's name if a value cannot be used.
    public static func environment(
        _ variables: [String: String] = ProcessInfo.processInfo.environment
    ) throws(ProxyError) -> ProxySelection {
        func value(_ name: String, isUpperIgnored: Bool = false) -> (name: String, text: String)? {
            for name in isUpperIgnored ? [name] : [name, name.uppercased()] {
                if let text = variables[name], !text.isEmpty { return (name, text) }
            }
            return nil
        }
        func read<Setting>(
            _ value: (name: String, text: String)?, _ parse: (String) throws(ProxyError) -> Setting
        ) throws(ProxyError) -> Setting? {
            guard let value else { return nil }
            do throws(ProxyError) {
                return try parse(value.text)
            } catch {
                throw ProxyError(error.code, "\(value.name): \(error.reason)")
            }
        }
        var selection = ProxySelection()
        let fallback = try read(value("all_proxy"), ProxyServer.init)
        selection.secure = try read(value("https_proxy"), ProxyServer.init) ?? fallback
        let isCGI = variables["REQUEST_METHOD"] != nil
        selection.cleartext = try read(value("http_proxy", isUpperIgnored: isCGI), ProxyServer.init) ?? fallback
        selection.exceptions = try read(value("no_proxy"), ProxyExceptions.init) ?? .none
        return selection
    }

    /// Returns the proxy for a connection, or `nil` for a direct connection.
    public func proxy(for host: CanonicalHost, port: UInt16, isSecure: Bool) -> ProxyServer? {
        guard let server = isSecure ? secure : cleartext, !host.isLoopback, !exceptions.contains(host, port: port)
        else { return nil }
        return server
    }
}
