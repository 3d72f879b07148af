extension CaseError {
    /// Puts what a JSON decoder throws into one sentence.
    init(_ error: any Error) {
        switch error {
        case let error as CaseError:
            self = error
        case DecodingError.keyNotFound(let key, let context):
            self.init("\(CaseError.path(context.codingPath + [key])) is missing")
        case DecodingError.valueNotFound(_, let context):
            self.init("\(CaseError.path(context.codingPath)) is null")
        case DecodingError.typeMismatch(let type, let context):
            self.init("\(CaseError.path(context.codingPath)) is not \(CaseError.words(for: type))")
        case DecodingError.dataCorrupted(let context) where !context.codingPath.isEmpty:
            self.init("\(CaseError.path(context.codingPath)): \(context.debugDescription)")
        default:
            self.init("the line is not JSON")
        }
    }

    private static func path(_ keys: [any CodingKey]) -> String {
        var text = ""
        for key in keys {
            if let index = key.intValue {
                text += "[\(index)]"
            } else {
                text += (text.isEmpty ? "" : ".") + key.stringValue
            }
        }
        return text.isEmpty ? "the case" : text
    }

    private static func words(for type: any Any.Type) -> String {
        switch type {
        case is String.Type: "text"
        case is Bool.Type: "true or false"
        case is [any Any].Type: "a list"
        default: String(describing: type).hasPrefix("Array") ? "a list" : "an object"
        }
    }
}
