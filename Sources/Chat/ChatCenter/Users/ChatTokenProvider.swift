/// Fetches fresh credentials when the server no longer accepts the current ones; `nil` when there are none.
///
/// After two minutes the app is told that it must act; a later answer is used all the same. What it throws is told as ``ChatCenterEvent/tokenProviderFailed(_:)``. A new signature counts from
/// the next registration on. One call at a time, and one for each refusal: if the new credentials are refused too, the app is told with
/// ``ChatCenterEvent/reauthorizationNeeded(_:)``.
public typealias ChatTokenProvider = @Sendable () async throws -> ChatAuth?
