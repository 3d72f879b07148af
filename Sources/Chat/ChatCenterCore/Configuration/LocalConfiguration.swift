/// The values that the host application may set and the server may override, at their documented defaults.
package struct LocalConfiguration: Hashable, Sendable {
    package var searchEnabled = true
    package var voiceRecordingEnabled = false
    package var scrollToLatest = true
    package var linkPreviewEnabled = false
    package var showAttachButton = true
    /// Milliseconds.
    package var surveyCompletionDelay = 0
    package var historyLoadingCount = 30
    package var keepSocketActive = false
    package var keepSocketActiveDuringOperatorSession = false

    package init() {}

    /// The documented defaults.
    package static let standard = LocalConfiguration()
}
