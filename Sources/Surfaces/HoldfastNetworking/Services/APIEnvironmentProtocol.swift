public import Foundation

/// Where an API is.
public protocol APIEnvironmentProtocol: Sendable {
    /// The URL that paths are added to; `nil` where it is not configured.
    var _baseURL: URL? { get }
}

extension APIEnvironmentProtocol {
    /// The URL that paths are added to. Traps where it is not configured, as GentleNetworking documents it;
    /// ``configuredBaseURL`` throws, and is what Holdfast itself asks.
    public var baseURL: URL {
        guard let _baseURL else {
            fatalError("The environment has no base URL.")  // reason: documented, the app's own setting, unused here
        }
        return _baseURL
    }

    /// The URL that paths are added to. Throws ``NetworkError/missingBaseURL`` where it is not configured.
    public var configuredBaseURL: URL {
        get throws(NetworkError) {
            guard let _baseURL else { throw .missingBaseURL }
            return _baseURL
        }
    }
}

/// An environment as a value.
public struct DefaultAPIEnvironment: APIEnvironmentProtocol, Equatable {
    public let _baseURL: URL?

    /// An API at this URL.
    public init(baseURL: URL? = nil) {
        self._baseURL = baseURL
    }
}
