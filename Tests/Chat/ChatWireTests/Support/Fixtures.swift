import ChatWire

/// JSON from the protocol page, without insignificant white space.
enum Fixtures {
    /// The configuration answer of the protocol page.
    static let configuration = """
        { "settings": { "typingMessagesIntervalSeconds": 3, "pingEnabled": true, "pingIntervalMillis": 10000, \
        "pingRetries": 3, "messageRetryCount": 3, "retryIntervalMillis": 500, "retryMultiplier": 1, \
        "registerAtFirstStart": false, "sendClientInfoAfterMillis": 5000, "clientNotificationDisplayType": "ALL" },
          "channelConfig": { "searchEnabled": true, "voiceRecordingEnabled": false, "scrollToLatest": true, \
        "linkPreviewEnabled": false, "showAttachButton": true, "surveyCompletionDelay": 0, "historyLoadingCount": 30, \
        "keepSocketActive": false, "keepSocketActiveDuringOperatorSession": false },
          "schedule": { "content": { "type": "SCHEDULE", "content": { "id": 3, "active": true, \
        "sendDuringInactive": true, "isVisibleOutOfHours": true, "notification": "…", "intervals": [ { "id": 15, \
        "weekDay": 1, "startTime": 0, "endTime": 86399 } ], "serverTime": "2025-03-06T16:12:51.438Z" } } },
          "attachmentSettings": { "content": { "type": "ATTACHMENT_SETTINGS", "content": { "maxSize": 10, \
        "fileExtensions": ["jpeg","png","pdf"] } } } }
        """

    /// All actions of a client, with all documented keys.
    static let clientFrames: [String] = [
        #"{"action":"registerDevice","correlationId":"1","data":{"clientId":"c","deviceAddress":"d","providerUid":"p","appMarker":"m","deviceUid":"v","timeZone":"Europe/Berlin","osName":"Linux","osVersion":"6","locale":"en","deviceModel":"x86","chatApiVersion":17,"pushToken":"t","clientIdSignature":"s","clientIdEncrypted":true}}"#,
        #"{"action":"registerDevice","correlationId":"1","data":{"clientId":"c"}}"#,
        #"{"action":"sendMessage","correlationId":"2","data":{"content":{"type":"MESSAGE","clientId":"c","uuid":"u","text":"Hi","appMarker":"m","chatApiVersion":17},"deviceAddress":"d"}}"#,
        #"{"action":"updateStatuses","correlationId":"3","data":{"statuses":[{"messageId":"m1","status":"delivered"},{"messageId":"m2","status":"read"}],"deviceAddress":"d"}}"#,
        #"{"action":"ping","correlationId":"4","data":{}}"#,
        #"{"action":"dance","correlationId":"5","data":{"steps":[1,2]}}"#,
        #"{"action":"dance","correlationId":"6","data":"solo"}"#,
    ]

    /// All actions of a server, as a reply, as a push and as a failure.
    static let serverFrames: [String] = [
        #"{"action":"registerDevice","correlationId":"1","data":{"deviceAddress":"d-1"}}"#,
        #"{"action":"sendMessage","correlationId":"2","data":{"messageId":"m-1","sentAt":"2025-03-06T16:12:51.438Z","status":"sent"}}"#,
        #"{"action":"updateStatuses","correlationId":"3","data":{}}"#,
        #"{"action":"ping","correlationId":"4","data":{}}"#,
        #"{"action":"registerDevice","correlationId":"1","data":{"error":"UNAUTHORIZED","errorDetails":"invalid"}}"#,
        #"{"action":"sendMessage","correlationId":"5","data":{"error":"UNAUTHORIZED","errorDetails":"expired"}}"#,
        #"{"action":"updateStatuses","correlationId":"6","data":{"error":"message.unknown"}}"#,
        #"{"action":"ping","correlationId":"7","data":{"error":"action.unknown","errorDetails":"ping"}}"#,
        #"{"action":"getMessages","createdAt":1741277571438,"data":{"error":"INTERNAL"}}"#,
        #"{"action":"getStatuses","createdAt":1741277571438,"data":{"statuses":[{"messageId":"m-1","status":"read"},{"messageId":"m-2","status":"delivered"},{"messageId":"m-3","status":"sent"}]}}"#,
        #"{"action":"getMessages","createdAt":1741277571438,"data":{"messages":[{"messageId":"m-2","sentAt":"2025-03-06T16:12:51.438Z","notification":"Hello","content":{"type":"MESSAGE","uuid":"u","operator":{"name":"Ivan","gender":null},"text":"Hello"},"attributes":null,"important":false,"messageType":"NORMAL"}]}}"#,
        #"{"action":"getMessages","data":{"messages":[{"messageId":"m-3","sentAt":"2025-03-06T16:12:51.438Z","content":{"type":"MESSAGE","uuid":"v"},"attributes":"{\"a\":1}","important":true,"messageType":"MIRROR"}]}}"#,
        #"{"action":"getMessages","data":{"messages":[]}}"#,
        #"{"action":"getMessages","data":{"messages":[{"type":"SCHEDULE","content":{"id":3,"active":true}},7,null,"x"]}}"#,
        #"{"action":"fireworks","data":{"colour":"red"}}"#,
        #"{"action":"fireworks","data":[1]}"#,
    ]

    /// All answers of the REST interface and of the file store, by their call.
    static let answers: [(call: String, text: String)] = [
        ("configuration", configurationText),
        ("configuration", #"{"channelConfig":{"searchEnabled":false}}"#),
        (
            "history",
            #"{"messages":[{"type":"MESSAGE","uuid":"u","messageId":"m","text":"Hi","receivedDate":"2025-03-06T16:12:51.438Z"},{"type":"THREAD_OPENED","threadId":7}],"agentInfo":{"name":"Ivan"},"allowedToSendMessages":true}"#
        ),
        ("history", #"{"messages":[]}"#),
        ("unread", #"{"count":3,"lastDate":"2026-11-23T15:05:32.001Z"}"#),
        (
            "search",
            #"{"total":41,"pages":3,"content":[{"type":"MESSAGE","uuid":"u"}],"pageable":{"offset":20,"pageSize":20,"pageNumber":1}}"#
        ),
        ("upload", #"{"result":"f-1","optional":{"name":"a.png","size":3,"type":"image/png"}}"#),
        ("failure", #"{"error":"UNAUTHORIZED","errorDetails":"expired"}"#),
        ("failure", #"{"error":"UNAUTHORIZED","errorDetails":"invalid"}"#),
        ("failure", #"{"error":"file.restricted.type"}"#), ("failure", #"{"error":"file.restricted.size"}"#),
        ("failure", #"{"error":"file.not-found"}"#), ("failure", #"{"error":"history.cursor-unknown"}"#),
    ]

    private static var configurationText: String { (try? value(configuration).text) ?? "" }

    /// One content of each type of the protocol page, with all its documented keys.
    static let contents: [String] = [
        #"{"type":"CLIENT_INFO","clientId":"c-1","uuid":"u-1","appMarker":"bank","chatApiVersion":17,"name":"Ann","data":{"clientPhone":"+1"},"locale":"en-GB","preRegister":false}"#,
        #"{"type":"INIT_CHAT","clientId":"c-1","uuid":"u-2"}"#,
        #"{"type":"CLIENT_OFFLINE","clientId":"c-1","uuid":"u-3"}"#,
        #"""
        {"type":"MESSAGE","clientId":"c-1","threadId":7,"uuid":"u-4","operator":{"id":"o-1","name":"Ivan","alias":"I.","status":"ONLINE","photoUrl":"https://x/p.png","gender":"MALE","organizationUnit":"Cards","role":"OPERATOR"},"text":"Hello \"you\"","formattedText":"**Hello**","receivedDate":"2025-03-06T16:12:51.438Z","attachments":[{"id":"a-1","result":"f-1","url":"https://x/f","name":"a.pdf","type":"application/pdf","size":12,"state":"READY","errorCode":"E","errorMessage":"m"}],"quotes":[{"type":"MESSAGE","uuid":"u-0","text":"quoted"}],"quickReplies":[{"id":"q-1","type":"TEXT","text":"Yes","imageUrl":"https://x/i","url":"https://x","payload":"p"}],"read":false,"display":true,"settings":{"blockInput":true,"masked":false},"massPushMessage":false,"personalOffer":true,"speechStatus":"SUCCESS","speechText":"words","modified":"EDITED"}
        """#,
        #"{"type":"TYPING","clientId":"c-1","uuid":"u-5","draft":"Hel"}"#,
        #"{"type":"TYPING","operatorName":"Ivan"}"#,
        #"{"type":"OPERATOR_JOINED","uuid":"u-6","operator":{"name":"Eva","gender":null,"role":"EXTERNAL_BOT"},"text":"Eva joined","display":true}"#,
        #"{"type":"OPERATOR_LEFT","uuid":"u-7","operator":{"name":"Eva","gender":"FEMALE"},"display":false}"#,
        #"{"type":"OPERATOR_LOOKUP_STARTED","text":"Looking"}"#,
        #"{"type":"MESSAGES_READ","ids":["m-1","m-2"]}"#,
        #"{"type":"SURVEY","uuid":"u-8","content":{"id":1,"uuid":"u-8","sendingId":2,"hideAfter":9999999999999,"blockInput":true,"questions":[{"id":3,"sendingId":2,"text":"How?","displayText":"How was it?","scale":5,"simple":false,"minValue":1,"maxValue":5,"surveyViewType":"SCALE","clientCommentThreshold":3}]}}"#,
        #"{"type":"SURVEY","uuid":"u-8","text":"{\"id\":1,\"hideAfter\":9999999999999,\"questions\":[{\"id\":3}]}"}"#,
        #"{"type":"SURVEY","uuid":"u-8","text":"{\"id\":1}","content":{"id":2}}"#,
        #"{"type":"BUTTON_SURVEY","content":{"id":1,"questions":[{"id":3,"surveyViewType":"BUTTON","buttons":[{"text":"Good","value":"1"}]}]}}"#,
        #"{"type":"SURVEY_QUESTION_ANSWER","clientId":"c-1","uuid":"u-9","questionId":3,"rate":5,"scale":5,"sendingId":2,"simple":false}"#,
        #"{"type":"SURVEY_QUALITY_FORM_ANSWER","uuid":"u-10","answers":[{"questionId":3,"rate":1,"sendingId":2}],"comment":"slow"}"#,
        #"{"type":"REQUEST_CLOSE_THREAD","uuid":"u-11","hideAfter":300}"#,
        #"{"type":"CLOSE_THREAD","uuid":"u-12"}"#,
        #"{"type":"REOPEN_THREAD","uuid":"u-13"}"#,
        #"{"type":"THREAD_OPENED","threadId":7,"display":false}"#,
        #"{"type":"THREAD_IN_PROGRESS","threadId":7}"#,
        #"{"type":"THREAD_CLOSED","threadId":7,"text":"Closed","display":true}"#,
        #"{"type":"THREAD_ENQUEUED","threadId":7}"#,
        #"{"type":"THREAD_WILL_BE_REASSIGNED","threadId":7}"#,
        #"{"type":"AVERAGE_WAIT_TIME","text":"5 min"}"#,
        #"{"type":"PARTING_AFTER_SURVEY","text":"Bye"}"#,
        #"{"type":"CLIENT_BLOCKED","text":"Blocked"}"#,
        #"{"type":"CLIENT_UNBLOCKED","text":"Unblocked"}"#,
        #"{"type":"CLIENT_PERSONAL_DATA_PROCESSING","text":"We process data"}"#,
        #"{"type":"SCHEDULE","content":{"id":3,"active":false,"sendDuringInactive":false,"isVisibleOutOfHours":true,"notification":"Back at nine","intervals":[{"id":15,"weekDay":7,"startTime":0,"endTime":86399}],"serverTime":"2025-03-06T16:12:51.438Z"}}"#,
        #"{"type":"ATTACHMENT_SETTINGS","content":{"maxSize":10,"fileExtensions":["jpeg","png"]}}"#,
        #"{"type":"SETTINGS_UPDATED","content":{"settings":{"pingEnabled":false},"channelConfig":{"keepSocketActive":true}}}"#,
        #"{"type":"ATTACHMENT_UPDATED","uuid":"u-4","attachments":[{"id":"a-1","state":"EXPIRED"}]}"#,
        #"{"type":"SPEECH_MESSAGE_UPDATED","uuid":"u-4","speechStatus":"SUCCESS","speechText":"words"}"#,
        #"{"type":"MESSAGE_EDITED","uuid":"u-4","text":"better","modified":"EDITED"}"#,
        #"{"type":"MESSAGE_DELETED","uuid":"u-4","modified":"DELETED"}"#,
        #"{"type":"HOLOGRAM","uuid":"u-14","beam":{"me":["up",1.5e3,null,true]}}"#,
    ]

    static func value(_ text: String) throws -> JSONValue { try JSONValue(parsing: text) }
}
