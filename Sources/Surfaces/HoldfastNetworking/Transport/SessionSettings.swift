import Foundation
import HoldfastTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What Holdfast's transport takes from a `URLSessionConfiguration`, and what it cannot honour. docs/networking.md has the
/// table.
struct SessionSettings: Sendable {
    /// The names of the properties that are set and cannot be honoured.
    private(set) var unsupported: [String] = []
    private(set) var maximumConnectionsPerHost: Int
    private var idleTimeout: TimeInterval
    private var totalTimeout: TimeInterval
    private var waitsForConnectivity = false
    private var additionalFields: [String: String] = [:]

    /// Reads a configuration. Later changes to it have no effect, as with `URLSession`.
    init(_ configuration: URLSessionConfiguration) {
        maximumConnectionsPerHost = max(1, configuration.httpMaximumConnectionsPerHost)
        idleTimeout = configuration.timeoutIntervalForRequest
        totalTimeout = configuration.timeoutIntervalForResource
        for (name, value) in configuration.httpAdditionalHeaders ?? [:] {
            if let name = name as? String, let value = value as? String {
                additionalFields[name] = value
            } else {
                refuse("httpAdditionalHeaders", if: true)
            }
        }
        refuse("identifier", if: configuration.identifier != nil)
        refuse("requestCachePolicy", if: !configuration.requestCachePolicy.needsNoCache)
        refuse("networkServiceType", if: configuration.networkServiceType != .default)
        refuse("allowsCellularAccess", if: !configuration.allowsCellularAccess)
        refuse("isDiscretionary", if: configuration.isDiscretionary)
        refuse("connectionProxyDictionary", if: configuration.connectionProxyDictionary?.isEmpty == false)
        // Cookies that were put there to be sent. The shared storage is everybody's, and is not looked at.
        if let storage = configuration.httpCookieStorage, storage !== HTTPCookieStorage.shared {
            refuse("httpCookieStorage", if: storage.cookies?.isEmpty == false)
        }
        let native = URLSessionConfiguration.default.protocolClasses ?? []
        let asked = configuration.protocolClasses ?? native
        var isKnown = asked.elementsEqual(native, by: ==)
        #if canImport(FoundationNetworking)
        // What a pinned session's own configuration says.
        isKnown = isKnown || (asked.count == 1 && asked.first == PinnedURLProtocol.self)
        #endif
        refuse("protocolClasses", if: !isKnown)
        #if !canImport(FoundationNetworking)
        waitsForConnectivity = configuration.waitsForConnectivity
        refuse(
            "tlsMinimumSupportedProtocolVersion", if: configuration.tlsMinimumSupportedProtocolVersion == .TLSv13)
        refuse("allowsExpensiveNetworkAccess", if: !configuration.allowsExpensiveNetworkAccess)
        refuse("allowsConstrainedNetworkAccess", if: !configuration.allowsConstrainedNetworkAccess)
        refuse("requiresDNSSECValidation", if: configuration.requiresDNSSECValidation)
        #endif
    }

    /// The request with what the configuration adds, and its time-outs. Throws if the configuration cannot be honoured.
    ///
    /// A request's own fields take precedence. Its `timeoutInterval` does where it is not the 60 seconds that every request
    /// has by default.
    func applied(to request: URLRequest) throws(UnsupportedConfigurationError) -> (URLRequest, RequestOptions) {
        guard unsupported.isEmpty else { throw UnsupportedConfigurationError(properties: unsupported) }
        var request = request
        for (name, value) in additionalFields where request.value(forHTTPHeaderField: name) == nil {
            request.setValue(value, forHTTPHeaderField: name)
        }
        let idle = request.timeoutInterval == 60 ? idleTimeout : request.timeoutInterval
        return (
            request,
            RequestOptions(
                idleTimeout: Duration(clampingSeconds: idle), totalTimeout: Duration(clampingSeconds: totalTimeout),
                waitsForConnectivity: waitsForConnectivity)
        )
    }

    private mutating func refuse(_ property: String, if isSet: Bool) {
        if isSet, !unsupported.contains(property) { unsupported.append(property) }
    }
}

/// Properties of a `URLSessionConfiguration` are set that Holdfast's transport cannot honour. Every request fails with this;
/// nothing was sent.
public struct UnsupportedConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The properties' names.
    public var properties: [String]

    /// Names the properties.
    public init(properties: [String]) {
        self.properties = properties
    }

    public var description: String {
        "This transport cannot honour what is set: "
            + properties.map { "URLSessionConfiguration.\($0)" }.joined(separator: ", ") + "."
    }
}
