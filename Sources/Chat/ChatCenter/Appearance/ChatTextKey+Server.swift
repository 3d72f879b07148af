extension ChatTextKey {
    /// The texts of the server that shows the chat in a browser.
    var serverText: BuiltIn? {
        switch self {
        case .serverSignedOut: BuiltIn("You are signed out.", "Вы вышли из чата.")
        case .serverNotSignedIn:
            BuiltIn(
                "You are not signed in. Open the chat from the app again.",
                "Вы не вошли. Откройте чат из приложения ещё раз.")
        case .serverUsedLink:
            BuiltIn(
                "The link was used before, or it has expired. Open the chat from the app again.",
                "Ссылка уже использована или устарела. Откройте чат из приложения ещё раз.")
        case .serverForeignLink:
            BuiltIn(
                "The link is on a page of another site. Open the chat from the app again.",
                "Ссылка находится на странице другого сайта. Откройте чат из приложения ещё раз.")
        case .serverForeignRequest:
            BuiltIn("The request comes from another page.", "Запрос отправлен с другой страницы.")
        case .serverForeignForm:
            BuiltIn(
                "The form is of another session. Load the page again.",
                "Форма относится к другому сеансу. Загрузите страницу заново.")
        case .serverUsedForm:
            BuiltIn(
                "The message was not sent, because the form was already used for another message. Send the message "
                    + "again.",
                "Сообщение не отправлено, потому что форма уже использована для другого сообщения. Отправьте его "
                    + "снова.")
        case .serverPrefetch:
            BuiltIn("The chat is not loaded in advance. Open it.", "Чат не загружается заранее. Откройте его.")
        case .serverIdle: BuiltIn("The chat was idle.", "Чат долго не использовался.")
        case .serverStopping: BuiltIn("The server stops.", "Сервер останавливается.")
        case .serverTooManyWindows:
            BuiltIn("The chat is open in too many windows.", "Чат открыт в слишком многих окнах.")
        case .serverFull:
            BuiltIn(
                "Too many chats are open. Try again in a few minutes.",
                "Открыто слишком много чатов. Повторите попытку через несколько минут.")
        case .serverBusy:
            BuiltIn(
                "The server is busy. Try again in a few seconds.",
                "Сервер занят. Повторите попытку через несколько секунд.")
        case .serverTooManyUploads:
            BuiltIn(
                "You are sending too many files at the same time. Wait until one is sent.",
                "Вы отправляете слишком много файлов одновременно. Дождитесь отправки одного из них.")
        case .serverTooManyDownloads:
            BuiltIn(
                "You are loading too many files at the same time. Wait until one is loaded.",
                "Вы загружаете слишком много файлов одновременно. Дождитесь загрузки одного из них.")
        case .serverTooManyFetches:
            BuiltIn(
                "You are loading too many pictures at the same time. Wait until one is loaded.",
                "Вы загружаете слишком много картинок одновременно. Дождитесь загрузки одной из них.")
        case .serverTooLarge: BuiltIn("The request is too large.", "Запрос слишком большой.")
        case .serverNotFound: BuiltIn("There is nothing at this address.", "По этому адресу ничего нет.")
        case .serverFileFailed:
            BuiltIn(
                "The file cannot be loaded from the chat server. Try again later.",
                "Не удалось получить файл с сервера чата. Повторите попытку позже.")
        case .serverUploadCancelled: BuiltIn("The upload was cancelled.", "Отправка файла отменена.")
        case .serverUnknownButton: BuiltIn("The button is no longer shown.", "Кнопка больше не показана.")
        case .serverInvalidLink: BuiltIn("The link is not a web address.", "Ссылка не является веб-адресом.")
        case .serverFailed: BuiltIn("The server could not answer the request.", "Сервер не смог ответить на запрос.")
        case .serverNoPage: BuiltIn("This page cannot be shown", "Эту страницу нельзя показать")
        case .serverOpeningTitle: BuiltIn("Opening the chat", "Чат открывается")
        case .serverOpening: BuiltIn("The chat opens in a moment.", "Чат откроется через мгновение.")
        case .serverRefusedTitle: BuiltIn("The chat server was refused", "Сервер чата отвергнут")
        case .serverRefused:
            BuiltIn(
                "The chat server did not prove its identity. Nothing was sent to it. Do not enter personal "
                    + "data elsewhere in its place; try again on another network.",
                "Сервер чата не подтвердил свою подлинность. Ему ничего не отправлено. Не вводите личные "
                    + "данные в другом месте вместо него; повторите попытку в другой сети.")
        default: nil
        }
    }
}
