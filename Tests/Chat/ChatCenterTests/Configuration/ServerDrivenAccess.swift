import ChatCenter
import ChatCenterCore

/// Accesses the deprecated settings without a warning, because tests treat warnings as errors.
protocol ServerDrivenAccess {
    var searchEnabled: Bool { get set }
    var voiceRecordingEnabled: Bool { get set }
    var scrollToLatest: Bool { get set }
    var linkPreviewEnabled: Bool { get set }
    var showAttachButton: Bool { get set }
    var surveyCompletionDelay: Int { get set }
    var historyLoadingCount: Int { get set }
    var keepSocketActive: Bool { get set }
    var keepSocketActiveDuringOperatorSession: Bool { get set }
}

protocol HasServerDriven {
    var serverDriven: ChatLocalSettings { get }
}

extension ChatConfig: ServerDrivenAccess, HasServerDriven {}
