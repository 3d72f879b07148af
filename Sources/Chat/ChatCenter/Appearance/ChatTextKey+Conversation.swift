extension ChatTextKey {
    /// The texts of messages, participants and errors.
    var conversationText: BuiltIn? {
        switch self {
        case .titleConnecting: BuiltIn("Connecting…", "Соединение…")
        case .titleOpened: BuiltIn("Chat", "Чат")
        case .titleTyping: BuiltIn("is typing…", "печатает…")
        case .titleWaiting: BuiltIn("Waiting for an answer", "Ожидание ответа")
        case .titleWaitingForSpecialist: BuiltIn("Looking for a specialist", "Поиск специалиста")
        case .titleWorking: BuiltIn("is in the chat", "в чате")
        case .availableReadonly: BuiltIn("The chat can only be read now", "Чат доступен только для чтения")
        case .clientName: BuiltIn("Me", "Я")
        case .chatUnread:
            BuiltIn(
                [.one: "{count} unread message", .other: "{count} unread messages"],
                [
                    .one: "{count} непрочитанное сообщение", .few: "{count} непрочитанных сообщения",
                    .many: "{count} непрочитанных сообщений", .other: "{count} непрочитанного сообщения",
                ])
        case .initFailedTitle: BuiltIn("The chat could not be opened", "Не удалось открыть чат")
        case .loadConfig: BuiltIn("Failed to load chat settings", "Не удалось загрузить настройки чата")
        case .connectionTimeout: BuiltIn("The server does not answer", "Сервер не отвечает")
        case .clientErrorTitle: BuiltIn("The request was refused", "Запрос отклонён")
        case .clientErrorDescription: BuiltIn("Try again later", "Повторите попытку позже")
        case .disallowedFile: BuiltIn("Files of this kind are not accepted", "Файлы этого типа не принимаются")
        case .duringFile: BuiltIn("The file could not be loaded", "Не удалось загрузить файл")
        case .timeoutDuringFile: BuiltIn("Loading the file took too long", "Время загрузки файла истекло")
        case .unexpectedDuringFile:
            BuiltIn("The file was not loaded because of an error", "Файл не загружен из-за ошибки")
        case .voiceMessageError:
            BuiltIn("The voice message could not be recorded", "Не удалось записать голосовое сообщение")
        case .fileTooLarge: BuiltIn("The file is too large", "Файл слишком большой")
        case .microphoneDenied:
            BuiltIn(
                "The microphone cannot be used. Allow it in the settings.",
                "Нет доступа к микрофону. Разрешите его в настройках.")
        case .messageDeleted: BuiltIn("Message deleted", "Сообщение удалено")
        case .messageIncorrectURL: BuiltIn("This link cannot be opened", "Эту ссылку нельзя открыть")
        case .messagePhoto: BuiltIn("Photo", "Фото")
        case .messageFileLimitTitle: BuiltIn("The file is too large", "Файл слишком большой")
        case .messageFileLimitText: BuiltIn("Choose a smaller file.", "Выберите файл меньшего размера.")
        case .messageNotDelivered: BuiltIn("Not delivered", "Не доставлено")
        case .messageValidationError: BuiltIn("The message was not accepted", "Сообщение не принято")
        case .messageQueued: BuiltIn("Waiting to be sent", "Ожидает отправки")
        case .messageUploading: BuiltIn("Uploading", "Загружается")
        case .messageSending: BuiltIn("Sending", "Отправляется")
        case .messageSent: BuiltIn("Sent", "Отправлено")
        case .messageDelivered: BuiltIn("Delivered", "Доставлено")
        case .messageRead: BuiltIn("Read", "Прочитано")
        case .messageEdited: BuiltIn("edited", "изменено")
        case .messageUnreadDivider: BuiltIn("New messages", "Новые сообщения")
        case .messageYou: BuiltIn("You", "Вы")
        case .messageExpiredFile: BuiltIn("This file is no longer available", "Файл больше не доступен")
        case .messagePendingFile: BuiltIn("The file is being processed", "Файл обрабатывается")
        case .messageFiles:
            BuiltIn(
                [.one: "{count} file", .other: "{count} files"],
                [.one: "{count} файл", .few: "{count} файла", .many: "{count} файлов", .other: "{count} файла"])
        case .unsupportedFile: BuiltIn("This kind of file cannot be shown", "Формат файла не поддерживается")
        case .unsupportedMessage:
            BuiltIn("This kind of message cannot be shown here", "Этот тип сообщений здесь не отображается")
        case .messageVoice: BuiltIn("Voice message", "Голосовое сообщение")
        case .messageVoicePlay: BuiltIn("Play", "Воспроизвести")
        case .messageVoicePause: BuiltIn("Pause", "Пауза")
        case .messageVoiceSeek: BuiltIn("Position in the voice message", "Позиция в голосовом сообщении")
        case .messageVoiceTranscript: BuiltIn("Transcript", "Расшифровка")
        case .messageVoiceTranscriptPending: BuiltIn("The transcript is being made", "Расшифровка готовится")
        case .messageVoiceTranscriptFailed:
            BuiltIn("The transcript could not be made", "Не удалось расшифровать сообщение")
        case .joinedMale: BuiltIn("joined the chat", "подключился к чату")
        case .joinedFemale: BuiltIn("joined the chat", "подключилась к чату")
        case .joinedUnknown: BuiltIn("joined the chat", "присоединился(-лась) к чату")
        case .leftMale: BuiltIn("left the chat", "покинул чат")
        case .leftFemale: BuiltIn("left the chat", "покинула чат")
        case .leftUnknown: BuiltIn("left the chat", "покинул(-а) чат")
        case .operatorBot: BuiltIn("Bot", "Бот")
        case .operatorExternalBot: BuiltIn("External bot", "Внешний бот")
        case .operatorIntegration: BuiltIn("Integration", "Интеграция")
        case .operatorPerson: BuiltIn("Operator", "Оператор")
        case .operatorSupervisor: BuiltIn("Supervisor", "Супервизор")
        case .operatorSystem: BuiltIn("System", "Система")
        default: nil
        }
    }
}
