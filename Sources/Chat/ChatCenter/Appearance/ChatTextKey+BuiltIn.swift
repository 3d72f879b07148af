extension ChatTextKey {
    /// The text where the app has none.
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
