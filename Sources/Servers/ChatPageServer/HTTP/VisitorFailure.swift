import ChatCenter
import HTTPTypes
import HoldfastTrust

/// Describes the errors of the app's closure and of the SDK for the page.
enum VisitorFailure {
    /// Returns the failure to answer with. The text of an unexpected error is not for visitors.
    static func failure(_ error: any Error) -> PageFailure {
        switch error {
        case let error as ChatAuthorizationError: authorization(error)
        case is ChatCenterUIError:
            PageFailure(.serviceUnavailable, "notAuthorized", "The chat has no authorized user. Sign in again.")
        default: PageFailure(.internalServerError, "internal", "The server could not answer the request.")
        }
    }

    private static func authorization(_ error: ChatAuthorizationError) -> PageFailure {
        guard let verdict = error.verdict else {
            var failure = PageFailure(.badGateway, "\(error.code)", error.reason)
            failure.title = "The chat cannot be opened"
            return failure
        }
        // The connection was cut before any byte of the conversation was sent.
        var failure = PageFailure(
            .badGateway, "serverRefused",
            "The chat server did not prove its identity. Nothing was sent to it. Do not enter personal data elsewhere "
                + "in its place; try again on another network.")
        failure.title = "The chat server was refused"
        failure.detail = ["Reason: \(verdict.finding.code)", verdict.finding.reason]
        return failure
    }
}
