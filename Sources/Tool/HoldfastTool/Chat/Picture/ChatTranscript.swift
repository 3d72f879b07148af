/// Computes the changes from one picture to the next. Every row gets a number that does not change. Numbers grow with
/// the conversation; rows that are inserted before the first one count down from 0.
struct ChatTranscript: Hashable, Sendable {
    private var last: ChatPicture?
    private var numbers: [String: Int] = [:]
    private var count = 0
    /// The oldest row of the first picture. Rows before it are older. An unsent message cannot be the anchor, because
    /// messages that arrive later are placed before it.
    private var anchor: String?
    private var rowsByNumber: [Int: ChatRow] = [:]
    /// The number of the first of all rows.
    private var lowest = 1
    /// Whether an attempt to connect has failed since the connection was last ready.
    private var isRetrying = false
    private var context = ChatContextProgress()

    /// The current picture.
    var picture: ChatPicture? { last }

    /// Returns the number of a row, if it was shown.
    func number(of id: String) -> Int? { numbers[id] }

    /// Returns the row with a number, as last shown.
    func row(_ number: Int) -> ChatRow? { rowsByNumber[number] }

    /// Takes the next picture and returns the changes. Rows of the first picture count as older.
    mutating func update(_ picture: ChatPicture) -> [ChatChange] {
        let before = last ?? ChatPicture(connection: "idle")
        var changes: [ChatChange] = []
        if picture.connection == "waiting" { isRetrying = true }
        // The remaining time until the next attempt changes all the time. That is not a change.
        let isSameWait = picture.nextAttempt != nil && picture.nextAttempt == before.nextAttempt
        if picture.connection != before.connection
            || (picture.connectionDetail != before.connectionDetail && !isSameWait)
        {
            changes.append(.connection(picture.connection, detail: picture.connectionDetail, isRetry: isRetrying))
        }
        if picture.connection == "ready" { isRetrying = false }
        changes += rows(picture.rows, before: before.rows, isFirst: last == nil)
        for banner in picture.banners where !before.banners.contains(banner) { changes.append(.banner(banner)) }
        for banner in before.banners where !picture.banners.contains(banner) { changes.append(.bannerGone(banner)) }
        if picture.blocked != before.blocked { changes.append(.input(blocked: picture.blocked)) }
        if picture.typing != before.typing { changes.append(.typing(picture.typing)) }
        if picture.unread != before.unread { changes.append(.unread(picture.unread)) }
        if picture.paging != before.paging { changes.append(.paging(picture.paging)) }
        for survey in picture.surveys where !before.surveys.contains(survey) { changes.append(.survey(survey)) }
        if let search = picture.search, search != before.search, !search.isRunning { changes.append(.search(search)) }
        if let change = context.update(picture.context) { changes.append(change) }
        last = picture
        return changes
    }

    private mutating func rows(_ rows: [ChatRow], before: [ChatRow], isFirst: Bool) -> [ChatChange] {
        var changes: [ChatChange] = []
        if isFirst { anchor = rows.first { $0.isSettled }?.id }
        let oldest = anchor.flatMap { anchor in rows.firstIndex { $0.id == anchor } } ?? 0
        var older = isFirst ? 0 : lowest - rows.prefix(oldest).count { numbers[$0.id] == nil }
        lowest = isFirst ? lowest : older
        for (index, row) in rows.enumerated() {
            guard let number = numbers[row.id], let shown = rowsByNumber[number] else {
                let number: Int
                if !isFirst, index < oldest {
                    number = older
                    older += 1
                } else {
                    count += 1
                    number = count
                }
                numbers[row.id] = number
                rowsByNumber[number] = row
                changes.append(.row(number, row, isOlder: isFirst || index < oldest))
                continue
            }
            guard row != shown else { continue }
            rowsByNumber[number] = row
            if !row.hasSameContent(as: shown) { changes.append(.changed(number, row)) }
            if row.state != shown.state || row.failure != shown.failure { changes.append(.state(number, row)) }
        }
        let present = Set(rows.map(\.id))
        for row in before where !present.contains(row.id) {
            guard let number = numbers[row.id] else { continue }
            rowsByNumber[number] = nil
            numbers[row.id] = nil
            changes.append(.gone(number, id: row.id))
        }
        return changes
    }
}
