import Foundation
import HoldfastTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The settings that Holdfast's transport takes from a `URLSessionConfiguration`, and the unsupported ones. See the
/// table in <doc:Networking>.
struct SessionSettings: Sendable {
    /// The names of the properties that are set but not supported.
    private(set) var unsupported: [String] = []
    private(set) var maximumConnectionsPerHost: Int
    private var idleTimeout: TimeInterval
    private var totalTimeout: TimeInterval
    private var waitsForConnectivity = false
    private var additionalFields: [String: String] = [:]

    /// Reads a configuration. Later changes have no effect, as with `URLSession`.
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
        // Cookies in a private storage are meant to be sent. The process-wide shared storage is ignored.
        if let storage = configuration.httpCookieStorage, storage !== HTTPCookieStorage.shared {
            refuse("httpCookieStorage", if: storage.cookies?.isEmpty == false)
        }
        let native = URLSessionConfiguration.default.protocolClasses ?? []
        let asked = configuration.protocolClasses ?? native
        var isKnown = asked.elementsEqual(native, by: ==)
        #if canImport(FoundationNetworking)
        // The configuration of a pinned session.
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

    /// Returns the request with the configuration's header fields, and its timeouts. Throws if the configuration
    /// contains unsupported properties.
    ///
    /// The request's own fields take precedence. So does its `timeoutInterval`, unless it is the default of 60 seconds.
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

/// An error for properties of a `URLSessionConfiguration` that Holdfast's transport does not support. Every request
/// fails with it; nothing was sent.
///
/// - Remedy: Remove the named properties from the configuration.
public struct UnsupportedConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The names of the properties.
    public var properties: [String]

    /// Makes the error.
    public init(properties: [String]) {
        self.properties = properties
    }

    /// A description with the names of the properties.
    public var description: String {
        "This transport does not support these settings: "
            + properties.map { "URLSessionConfiguration.\($0)" }.joined(separator: ", ") + "."
    }
}
