public import HoldfastTrust

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Which connections go through which proxy. By default none does: the environment is not looked at unless asked.
///
/// Hosts on the loopback are always reached directly: what they mean for the proxy is another machine.
public struct ProxySelection: Hashable, Sendable {
    /// No proxy.
    public static let none = ProxySelection()

    private var cleartext: ProxyServer?
    private var secure: ProxyServer?
    private var exceptions = ProxyExceptions.none

    private init() {}

    /// One proxy for all connections, but for the exceptions.
    public static func server(_ server: ProxyServer, except exceptions: ProxyExceptions = .none) -> ProxySelection {
        var selection = ProxySelection()
        selection.cleartext = server
        selection.secure = server
        selection.exceptions = exceptions
        return selection
    }

    /// The proxies that the environment names, read once, now.
    ///
    /// `HTTPS_PROXY` is for `https:` and `wss:`, `HTTP_PROXY` for `http:` and `ws:`, `ALL_PROXY` for whatever has none
    /// of its own, `NO_PROXY` is a list of ``ProxyExceptions``. The names in lower case win; an empty variable counts as
    /// absent. Where `REQUEST_METHOD` is set the program is a CGI script, and `HTTP_PROXY` is a header of the *request* (`Proxy:`) that anyone can
    /// send: it is ignored then.
    ///
    /// - Parameter variables: The environment; the process's own by default.
    /// - Throws: ``ProxyError`` with the variable's name for a value that cannot be used.
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

    /// The proxy for a connection; `nil`: it is opened directly.
    public func proxy(for host: CanonicalHost, port: UInt16, isSecure: Bool) -> ProxyServer? {
        guard let server = isSecure ? secure : cleartext, !host.isLoopback, !exceptions.contains(host, port: port)
        else { return nil }
        return server
    }
}
