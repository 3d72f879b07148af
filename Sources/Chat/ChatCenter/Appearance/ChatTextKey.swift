/// The keys of the chat's texts that an app can replace. <doc:Text-Keys> lists each with its built-in texts.
///
/// The raw value is the key in the app's file. ``isDocumented`` tells documented keys from Holdfast's own.
public enum ChatTextKey: String, Hashable, Sendable, CaseIterable {
    // MARK: action
    case actionOK = "action.title_ok"
    case actionYes = "action.title_yes"
    case actionNo = "action.title_no"
    case actionTitleCancel = "action.title_cancel"
    case actionRepeat = "action.title_repeat"
    case actionSendFile = "action.alert_send"
    case actionRetry = "action.retry"
    case actionDelete = "action.delete"
    case actionCancel = "action.cancel"
    case actionSave = "action.save"
    case actionClose = "action.close"
    case actionLoadOlder = "action.load_older"
    case actionScrollToNewest = "action.scroll_to_newest"
    case actionReload = "action.reload"

    // MARK: alert
    case alertResendTitle = "alert.resend_failed_message.title"
    case alertResendText = "alert.resend_failed_message.text"
    case alertResendRetry = "alert.resend_failed_message.retry"
    case alertResendDelete = "alert.resend_failed_message.delete"

    // MARK: attachments
    case attachmentsCamera = "attachments.menu.camera"
    case attachmentsPhoto = "attachments.menu.photo"
    case attachmentsFile = "attachments.menu.file"

    // MARK: banner
    case bannerConnectionLost = "banner.connection_lost"
    case bannerNextAttempt = "banner.next_attempt"
    case bannerHistoryFailed = "banner.history_failed"
    case bannerStoreFailed = "banner.store_failed"
    case bannerUnauthorized = "banner.unauthorized"
    case bannerOutOfHours = "banner.out_of_hours"
    case bannerStale = "banner.stale"
    case bannerServerSilent = "banner.server_silent"
    case bannerConfigurationFailed = "banner.configuration_failed"

    // MARK: chat
    case titleConnecting = "chat.title.connecting"
    case titleOpened = "chat.title.opened"
    case titleTyping = "chat.title.typing"
    case titleWaiting = "chat.title.waiting"
    case titleWaitingForSpecialist = "chat.title.waiting_for_specialist"
    case titleWorking = "chat.title.working"
    case availableReadonly = "chat.available_readonly_text"
    case clientName = "chat.client_name"
    case chatUnread = "chat.unread"

    // MARK: date
    case dateToday = "date.today"
    case dateYesterday = "date.yesterday"

    // MARK: empty_chat
    case emptyChatTitle = "empty_chat.title"
    case emptyChatText = "empty_chat.text"

    // MARK: errors
    case initFailedTitle = "errors.init_failed_title"
    case loadConfig = "errors.load_config"
    case connectionTimeout = "errors.connection_timeout"
    case clientErrorTitle = "errors.code_from_400_to_500_title"
    case clientErrorDescription = "errors.code_from_400_to_500_desc"
    case disallowedFile = "errors.disallowed_file_loading"
    case duringFile = "errors.during_load_file"
    case timeoutDuringFile = "errors.timeout_during_load_file"
    case unexpectedDuringFile = "errors.unexpected_error_during_load_file"
    case voiceMessageError = "errors.voice_message"
    case fileTooLarge = "errors.file_too_large"
    case microphoneDenied = "errors.microphone_denied"

    // MARK: input
    case inputPlaceholder = "input.placeholder"
    case inputSend = "input.send"
    case inputAttach = "input.attach"
    case inputRecord = "input.record"
    case inputStopRecording = "input.stop_recording"
    case inputCancelRecording = "input.cancel_recording"
    case inputTooLong = "input.too_long"
    case inputRemaining = "input.remaining"
    case inputDropFiles = "input.drop_files"
    case inputQuoteRemove = "input.quote_remove"
    case inputBlocked = "input.blocked"
    case inputRemoveFile = "input.remove_file"

    // MARK: loading
    case loading = "loading.title"

    // MARK: menu
    case copy = "menu.copy_title"
    case response = "menu.response_title"

    // MARK: message
    case messageDeleted = "message.deleted_text"
    case messageIncorrectURL = "message.incorrect_url_for_opening"
    case messagePhoto = "message.photo_title"
    case messageFileLimitTitle = "message.send_file_limit_alert_title"
    case messageFileLimitText = "message.send_file_limit_alert_text"
    case messageNotDelivered = "message.status.not_delivered"
    case messageValidationError = "message.status.validation_error"
    case messageQueued = "message.status.queued"
    case messageUploading = "message.status.uploading"
    case messageSending = "message.status.sending"
    case messageSent = "message.status.sent"
    case messageDelivered = "message.status.delivered"
    case messageRead = "message.status.read"
    case messageEdited = "message.edited"
    case messageUnreadDivider = "message.unread_divider"
    case messageYou = "message.you"
    case messageExpiredFile = "message.expired_file"
    case messagePendingFile = "message.pending_file"
    case messageFiles = "message.files"
    case unsupportedFile = "message.unsupported_file_format"
    case unsupportedMessage = "message.unsupported"
    case messageVoice = "message.voice_title"
    case messageVoicePlay = "message.voice_play"
    case messageVoicePause = "message.voice_pause"
    case messageVoiceSeek = "message.voice_seek"
    case messageVoiceTranscript = "message.voice_transcript"
    case messageVoiceTranscriptPending = "message.voice_transcript_pending"
    case messageVoiceTranscriptFailed = "message.voice_transcript_failed"
    case joinedMale = "message.system.join_chat_male"
    case joinedFemale = "message.system.join_chat_female"
    case joinedUnknown = "message.system.join_chat_unknown"
    case leftMale = "message.system.leave_chat_male"
    case leftFemale = "message.system.leave_chat_female"
    case leftUnknown = "message.system.leave_chat_unknown"

    // MARK: operator
    case operatorBot = "operator.bot"
    case operatorExternalBot = "operator.external.bot"
    case operatorIntegration = "operator.integration"
    case operatorPerson = "operator.operator"
    case operatorSupervisor = "operator.supervisor"
    case operatorSystem = "operator.system"

    // MARK: push
    case pushNewMessage = "push.new_message"

    // MARK: search
    case searchTitle = "search.title"
    case searchPlaceholder = "search.placeholder"
    case searchNoResults = "search.no_results"
    case searchMore = "search.more"
    case searchLocal = "search.local"
    case searchClose = "search.close"
    case searchJump = "search.jump"
    case searchResults = "search.results"

    // MARK: security
    case securityPinned = "security.pinned"
    case securitySystemTrust = "security.system_trust"
    case securityUnverified = "security.unverified"

    // MARK: server
    case serverSignedOut = "server.signed_out"
    case serverNotSignedIn = "server.not_signed_in"
    case serverUsedLink = "server.used_link"
    case serverForeignLink = "server.foreign_link"
    case serverForeignRequest = "server.foreign_request"
    case serverForeignForm = "server.foreign_form"
    case serverUsedForm = "server.used_form"
    case serverPrefetch = "server.prefetch"
    case serverIdle = "server.idle"
    case serverStopping = "server.stopping"
    case serverTooManyWindows = "server.too_many_windows"
    case serverFull = "server.full"
    case serverBusy = "server.busy"
    case serverTooManyUploads = "server.too_many_uploads"
    case serverTooManyDownloads = "server.too_many_downloads"
    case serverTooManyFetches = "server.too_many_fetches"
    case serverTooLarge = "server.too_large"
    case serverNotFound = "server.not_found"
    case serverFileFailed = "server.file_failed"
    case serverUploadCancelled = "server.upload_cancelled"
    case serverUnknownButton = "server.unknown_button"
    case serverInvalidLink = "server.invalid_link"
    case serverFailed = "server.failed"
    case serverNoPage = "server.no_page"
    case serverOpeningTitle = "server.opening_title"
    case serverOpening = "server.opening"
    case serverRefusedTitle = "server.refused_title"
    case serverRefused = "server.refused"

    // MARK: survey
    case surveySend = "survey.send"
    case surveyComment = "survey.comment"
    case surveyThanks = "survey.thanks"
    case surveyRate = "survey.rate"
    case surveyThumbUp = "survey.thumb_up"
    case surveyThumbDown = "survey.thumb_down"
    case surveyCloseThread = "survey.close_thread"
    case surveyReopenThread = "survey.reopen_thread"
}

extension ChatTextKey {
    /// Whether the documentation of the modelled SDK names this key. The other keys are Holdfast's own.
    public var isDocumented: Bool {
        switch self {
        case .actionOK, .actionYes, .actionNo, .actionTitleCancel, .actionRepeat, .actionSendFile, .titleConnecting,
            .titleOpened, .titleTyping, .titleWaiting, .titleWaitingForSpecialist, .titleWorking, .availableReadonly,
            .clientName, .initFailedTitle, .loadConfig, .connectionTimeout, .clientErrorTitle,
            .clientErrorDescription, .disallowedFile, .duringFile, .timeoutDuringFile, .unexpectedDuringFile,
            .voiceMessageError, .loading, .copy, .response, .messageDeleted, .messageIncorrectURL, .messagePhoto,
            .messageNotDelivered, .messageValidationError, .unsupportedFile, .joinedMale, .joinedFemale,
            .joinedUnknown, .leftMale, .leftFemale, .leftUnknown, .operatorBot, .operatorExternalBot,
            .operatorIntegration, .operatorPerson, .operatorSupervisor, .operatorSystem:
            true
        default: false
        }
    }

    /// Whether the text depends on a number. ``ChatScreen/text(_:count:)`` chooses its form.
    public var isPlural: Bool {
        switch self {
        case .bannerNextAttempt, .chatUnread, .inputRemaining, .messageFiles, .searchResults: true
        default: false
        }
    }
}
