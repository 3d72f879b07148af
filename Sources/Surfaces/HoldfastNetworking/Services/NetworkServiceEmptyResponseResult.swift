/// The outcome of a request whose response body is not looked at.
public enum NetworkServiceEmptyResponseResult: Hashable, Sendable {
    /// It succeeded with this status.
    case success(code: Int)
}
