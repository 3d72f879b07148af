public import Foundation

/// The base URL of an API.
public protocol APIEnvironmentProtocol: Sendable {
    /// The URL to which paths are appended; `nil` if it is not configured.
    var _baseURL: URL? { get }
}

extension APIEnvironmentProtocol {
    /// The URL to which paths are appended. Traps if it is not configured, as documented by GentleNetworking. Holdfast
    /// itself uses ``configuredBaseURL``, which throws.
    public var baseURL: URL {
        guard let _baseURL else {
            fatalError("The environment has no base URL.")  // reason: documented behavior; unused in this package
        }
        return _baseURL
    }

    /// The URL to which paths are appended. Throws ``NetworkError/missingBaseURL`` if it is not configured.
    public var configuredBaseURL: URL {
        get throws(NetworkError) {
            guard let _baseURL else { throw .missingBaseURL }
            return _baseURL
        }
    }
}

/// A value that describes an environment.
public struct DefaultAPIEnvironment: APIEnvironmentProtocol, Equatable {
    /// The URL to which paths are appended; `nil` if it is not configured.
    public let _baseURL: URL?

    /// Makes an environment for an API at this URL.
    public init(baseURL: URL? = nil) {
        self._baseURL = baseURL
    }
}
