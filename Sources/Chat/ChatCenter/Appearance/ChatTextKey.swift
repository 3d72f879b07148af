/// The keys of the chat's texts that an app can replace, with their documented names.
public enum ChatTextKey: String, Hashable, Sendable, CaseIterable {
    case titleConnecting = "chat.title.connecting"
    case titleOpened = "chat.title.opened"
    case titleTyping = "chat.title.typing"
    case titleWaiting = "chat.title.waiting"
    case titleWaitingForSpecialist = "chat.title.waiting_for_specialist"
    case titleWorking = "chat.title.working"
    case availableReadonly = "chat.available_readonly_text"
    case clientName = "chat.client_name"
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
    case loading = "loading.title"
    case copy = "menu.copy_title"
    case response = "menu.response_title"
    case messageDeleted = "message.deleted_text"
    case messagePhoto = "message.photo_title"
    case messageNotDelivered = "message.status.not_delivered"
    case messageValidationError = "message.status.validation_error"
    case unsupportedFile = "message.unsupported_file_format"
    case joinedMale = "message.system.join_chat_male"
    case joinedFemale = "message.system.join_chat_female"
    case joinedUnknown = "message.system.join_chat_unknown"
    case leftMale = "message.system.leave_chat_male"
    case leftFemale = "message.system.leave_chat_female"
    case leftUnknown = "message.system.leave_chat_unknown"
    case operatorBot = "operator.bot"
    case operatorExternalBot = "operator.external.bot"
    case operatorIntegration = "operator.integration"
    case operatorPerson = "operator.operator"
    case operatorSupervisor = "operator.supervisor"
    case operatorSystem = "operator.system"
}

extension ChatTextKey {
    /// Returns the built-in text, for a key without a text of the app.
    func builtIn(russian: Bool) -> String { russian ? texts.russian : texts.english }

    private var texts: (english: String, russian: String) {
        switch self {
        case .titleConnecting: ("Connecting…", "Соединение…")
        case .titleOpened: ("Chat", "Чат")
        case .titleTyping: ("is typing…", "печатает…")
        case .titleWaiting: ("Waiting for an answer", "Ожидание ответа")
        case .titleWaitingForSpecialist: ("Looking for a specialist", "Поиск специалиста")
        case .titleWorking: ("is in the chat", "в чате")
        case .availableReadonly: ("The chat can only be read now", "Чат доступен только для чтения")
        case .clientName: ("Me", "Я")
        case .initFailedTitle: ("The chat could not be opened", "Не удалось открыть чат")
        case .loadConfig: ("Failed to load chat settings", "Не удалось загрузить настройки чата")
        case .connectionTimeout: ("The server does not answer", "Сервер не отвечает")
        case .clientErrorTitle: ("The request was refused", "Запрос отклонён")
        case .clientErrorDescription: ("Try again later", "Повторите попытку позже")
        case .disallowedFile: ("Files of this kind are not accepted", "Файлы этого типа не принимаются")
        case .duringFile: ("The file could not be loaded", "Не удалось загрузить файл")
        case .timeoutDuringFile: ("Loading the file took too long", "Время загрузки файла истекло")
        case .unexpectedDuringFile: ("The file was not loaded because of an error", "Файл не загружен из-за ошибки")
        case .voiceMessageError: ("The voice message could not be recorded", "Не удалось записать голосовое сообщение")
        case .loading: ("Loading…", "Загрузка…")
        case .copy: ("Copy", "Копировать")
        case .response: ("Reply", "Ответить")
        case .messageDeleted: ("Message deleted", "Сообщение удалено")
        case .messagePhoto: ("Photo", "Фото")
        case .messageNotDelivered: ("Not delivered", "Не доставлено")
        case .messageValidationError: ("The message was not accepted", "Сообщение не принято")
        case .unsupportedFile: ("This kind of file cannot be shown", "Формат файла не поддерживается")
        case .joinedMale: ("joined the chat", "подключился к чату")
        case .joinedFemale: ("joined the chat", "подключилась к чату")
        case .joinedUnknown: ("joined the chat", "присоединился(-лась) к чату")
        case .leftMale: ("left the chat", "покинул чат")
        case .leftFemale: ("left the chat", "покинула чат")
        case .leftUnknown: ("left the chat", "покинул(-а) чат")
        case .operatorBot: ("Bot", "Бот")
        case .operatorExternalBot: ("External bot", "Внешний бот")
        case .operatorIntegration: ("Integration", "Интеграция")
        case .operatorPerson: ("Operator", "Оператор")
        case .operatorSupervisor: ("Supervisor", "Супервизор")
        case .operatorSystem: ("System", "Система")
        }
    }
}
