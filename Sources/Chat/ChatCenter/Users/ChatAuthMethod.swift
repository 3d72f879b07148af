/// Where the credentials of a ``ChatAuth`` travel.
public enum ChatAuthMethod: String, Hashable, Sendable, CaseIterable {
    /// `Authorization` and `X-Auth-Schema`.
    case headers
    /// `Cookie: Authorization=…; X-Auth-Schema=…`.
    case cookies
}
