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
            PageFailure(.serviceUnavailable, "notAuthorized", .serverNotSignedIn)
        default: PageFailure(.internalServerError, "internal", .serverFailed)
        }
    }

    private static func authorization(_ error: ChatAuthorizationError) -> PageFailure {
        guard let verdict = error.verdict else {
            var failure = PageFailure(.badGateway, "\(error.code)", error.reason)
            failure.title = ChatTextKey.initFailedTitle.currentText
            return failure
        }
        // The connection was cut before any byte of the conversation was sent.
        var failure = PageFailure(.badGateway, "serverRefused", .serverRefused)
        failure.title = ChatTextKey.serverRefusedTitle.currentText
        failure.detail = ["Reason: \(verdict.finding.code)", verdict.finding.reason]
        return failure
    }
}
