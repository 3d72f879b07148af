extension Content {
    /// About how many bytes the content takes, in memory as on the disk: what a peer made as large as it likes counts,
    /// what has a size of its own does not.
    package var weight: Int {
        var weight = [
            clientID, uuid, messageID, text, formattedText, speechStatus, speechText, appMarker,
        ].reduce(128) { $0 + ($1?.utf8.count ?? 0) }
        weight += extra.weight + (settings?.extra.weight ?? 0) + body.weight
        if let agent = `operator` { weight += agent.json.weight }
        for attachment in attachments { weight += attachment.json.weight }
        for reply in quickReplies { weight += reply.json.weight }
        for quote in quotes { weight += quote.weight }
        return weight
    }
}

extension ContentBody {
    fileprivate var weight: Int {
        switch self {
        case .message: 0
        case .unknown(let type, let raw): type.utf8.count + raw.weight
        // The fields of the others are read into values; as JSON they are what they were.
        default: Content(self).json.weight
        }
    }
}

extension JSONObject {
    /// The same.
    package var weight: Int {
        var weight = 0
        forEach { key, value in weight += key.utf8.count + 8 + value.weight }
        return weight
    }
}

extension JSONValue {
    /// The same.
    package var weight: Int {
        switch self {
        case .null, .bool: 8
        case .number(let number): number.lexeme.utf8.count + 8
        case .string(let text): text.utf8.count + 8
        case .array(let elements): elements.reduce(16) { $0 + $1.weight }
        case .object(let object): 16 + object.weight
        }
    }
}
