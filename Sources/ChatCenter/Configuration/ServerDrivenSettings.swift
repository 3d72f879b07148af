/// The settings that the server's configuration may override. `nil`: the app has not set it, the default counts.
///
/// The public properties of ``ChatConfig`` over it are deprecated; the SDK itself reads and writes here.
package struct ServerDrivenSettings: Hashable, Sendable {
    package var searchEnabled: Bool?
    package var voiceRecordingEnabled: Bool?
    package var scrollToLatest: Bool?
    package var linkPreviewEnabled: Bool?
    package var showAttachButton: Bool?
    /// In milliseconds.
    package var surveyCompletionDelay: Int?
    package var historyLoadingCount: Int?
    package var keepSocketActive: Bool?
    package var keepSocketActiveDuringOperatorSession: Bool?

    package init() {}
}
