extension ChatTextKey {
    /// A built-in text in both languages. A text with a number has several forms, which contain `{count}`.
    struct BuiltIn {
        var english: [ChatPluralCategory: String]
        var russian: [ChatPluralCategory: String]

        init(_ english: String, _ russian: String) {
            self.english = [.other: english]
            self.russian = [.other: russian]
        }

        init(_ english: [ChatPluralCategory: String], _ russian: [ChatPluralCategory: String]) {
            self.english = english
            self.russian = russian
        }
    }

    /// Returns the built-in forms, for a key without a text of the app.
    func builtIn(russian: Bool) -> [ChatPluralCategory: String] { russian ? builtIn.russian : builtIn.english }

    /// The built-in texts. The keys are divided among several properties, so that none is too long.
    private var builtIn: BuiltIn {
        interfaceText ?? conversationText ?? serverText ?? BuiltIn(rawValue, rawValue)
    }

    /// The texts of buttons, panels and states.
    var interfaceText: BuiltIn? {
        switch self {
        case .actionOK: BuiltIn("OK", "ОК")
        case .actionYes: BuiltIn("Yes", "Да")
        case .actionNo: BuiltIn("No", "Нет")
        case .actionTitleCancel: BuiltIn("Cancel", "Отмена")
        case .actionRepeat: BuiltIn("Try again", "Повторить")
        case .actionSendFile: BuiltIn("Send", "Отправить")
        case .actionRetry: BuiltIn("Send again", "Отправить снова")
        case .actionDelete: BuiltIn("Delete", "Удалить")
        case .actionCancel: BuiltIn("Cancel", "Отмена")
        case .actionSave: BuiltIn("Save", "Сохранить")
        case .actionClose: BuiltIn("Close", "Закрыть")
        case .actionLoadOlder: BuiltIn("Load older messages", "Загрузить более ранние сообщения")
        case .actionScrollToNewest: BuiltIn("Go to the newest message", "К последнему сообщению")
        case .actionReload: BuiltIn("Reload", "Загрузить снова")
        case .alertResendTitle: BuiltIn("The message was not sent", "Сообщение не отправлено")
        case .alertResendText: BuiltIn("Send it again or delete it.", "Отправьте его снова или удалите.")
        case .alertResendRetry: BuiltIn("Send again", "Отправить снова")
        case .alertResendDelete: BuiltIn("Delete", "Удалить")
        case .attachmentsCamera: BuiltIn("Camera", "Камера")
        case .attachmentsPhoto: BuiltIn("Photos", "Фотографии")
        case .attachmentsFile: BuiltIn("File", "Файл")
        case .bannerConnectionLost: BuiltIn("The connection is lost", "Соединение потеряно")
        case .bannerNextAttempt:
            BuiltIn(
                [.one: "Next attempt in {count} second", .other: "Next attempt in {count} seconds"],
                [
                    .one: "Следующая попытка через {count} секунду", .few: "Следующая попытка через {count} секунды",
                    .many: "Следующая попытка через {count} секунд", .other: "Следующая попытка через {count} секунды",
                ])
        case .bannerHistoryFailed: BuiltIn("Some messages could not be loaded", "Не удалось загрузить часть сообщений")
        case .bannerStoreFailed:
            BuiltIn("Messages cannot be saved on this device", "Сообщения не сохраняются на этом устройстве")
        case .bannerUnauthorized: BuiltIn("Sign in again to continue", "Войдите снова, чтобы продолжить")
        case .bannerOutOfHours: BuiltIn("We are out of the office now", "Сейчас нерабочее время")
        case .bannerStale:
            BuiltIn("This page is not up to date: it has lost its connection", "Страница устарела: соединение потеряно")
        case .bannerServerSilent: BuiltIn("The server has not answered for a while", "Сервер давно не отвечает")
        case .bannerConfigurationFailed:
            BuiltIn("The chat settings could not be loaded", "Не удалось загрузить настройки чата")
        case .dateToday: BuiltIn("Today", "Сегодня")
        case .dateYesterday: BuiltIn("Yesterday", "Вчера")
        case .emptyChatTitle: BuiltIn("Welcome", "Добро пожаловать")
        case .emptyChatText:
            BuiltIn("Write a message, and we will answer here.", "Напишите сообщение, и мы ответим здесь.")
        case .inputPlaceholder: BuiltIn("Message", "Сообщение")
        case .inputSend: BuiltIn("Send", "Отправить")
        case .inputAttach: BuiltIn("Attach a file", "Прикрепить файл")
        case .inputRecord: BuiltIn("Record a voice message", "Записать голосовое сообщение")
        case .inputStopRecording: BuiltIn("Stop and send", "Остановить и отправить")
        case .inputCancelRecording: BuiltIn("Discard the recording", "Удалить запись")
        case .inputTooLong: BuiltIn("The text is too long and was cut", "Текст слишком длинный и был обрезан")
        case .inputRemaining:
            BuiltIn(
                [.one: "{count} character left", .other: "{count} characters left"],
                [
                    .one: "Остался {count} символ", .few: "Осталось {count} символа",
                    .many: "Осталось {count} символов", .other: "Осталось {count} символа",
                ])
        case .inputDropFiles: BuiltIn("Drop files here", "Перетащите файлы сюда")
        case .inputQuoteRemove: BuiltIn("Remove the quote", "Убрать цитату")
        case .inputBlocked: BuiltIn("You cannot write now", "Сейчас писать нельзя")
        case .inputRemoveFile: BuiltIn("Remove the file", "Убрать файл")
        case .loading: BuiltIn("Loading…", "Загрузка…")
        case .copy: BuiltIn("Copy", "Копировать")
        case .response: BuiltIn("Reply", "Ответить")
        case .pushNewMessage: BuiltIn("New message", "Новое сообщение")
        case .searchTitle: BuiltIn("Search", "Поиск")
        case .searchPlaceholder: BuiltIn("Search in the chat", "Поиск в чате")
        case .searchNoResults: BuiltIn("Nothing was found", "Ничего не найдено")
        case .searchMore: BuiltIn("More results", "Ещё результаты")
        case .searchLocal:
            BuiltIn("Only messages on this device were searched", "Поиск только по сообщениям на этом устройстве")
        case .searchClose: BuiltIn("Close the search", "Закрыть поиск")
        case .searchJump: BuiltIn("Show in the chat", "Показать в чате")
        case .searchResults:
            BuiltIn(
                [.one: "{count} result", .other: "{count} results"],
                [
                    .one: "{count} результат", .few: "{count} результата", .many: "{count} результатов",
                    .other: "{count} результата",
                ])
        case .securityPinned: BuiltIn("Protected by pinned keys", "Защищено закреплёнными ключами")
        case .securitySystemTrust: BuiltIn("Protected by the system’s certificates", "Защищено сертификатами системы")
        case .securityUnverified:
            BuiltIn("Not protected: certificates are not verified", "Не защищено: сертификаты не проверяются")
        case .surveySend: BuiltIn("Send the rating", "Отправить оценку")
        case .surveyComment: BuiltIn("Your comment", "Ваш комментарий")
        case .surveyThanks: BuiltIn("Thank you for your rating", "Спасибо за оценку")
        case .surveyRate: BuiltIn("Rating", "Оценка")
        case .surveyThumbUp: BuiltIn("Good", "Хорошо")
        case .surveyThumbDown: BuiltIn("Bad", "Плохо")
        case .surveyCloseThread: BuiltIn("End the conversation", "Завершить разговор")
        case .surveyReopenThread: BuiltIn("Continue the conversation", "Продолжить разговор")
        default: nil
        }
    }
}
