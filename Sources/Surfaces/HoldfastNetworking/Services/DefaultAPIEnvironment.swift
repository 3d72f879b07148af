public import Foundation

/// An environment as a value.
public struct DefaultAPIEnvironment: APIEnvironmentProtocol, Equatable {
    public let _baseURL: URL?

    /// An API at this URL.
    public init(baseURL: URL? = nil) {
        self._baseURL = baseURL
    }
}
