/// Something that the person at the terminal, or a program, is told.
enum ChatChange: TerminalEvent, Hashable, Sendable {
    /// The connection. A retry is an attempt after one that failed.
    case connection(String, detail: String?, isRetry: Bool = false)
    /// A row that was not told before. Older ones were there when the chat was opened, or come in front of those that are.
    case row(Int, ChatRow, isOlder: Bool)
    /// A row says something else now: edited, deleted, its files.
    case changed(Int, ChatRow)
    /// A message of the client came further, or failed.
    case state(Int, ChatRow)
    /// A row is not shown any more.
    case gone(Int, id: String)
    /// Who types; `nil` for nobody any more.
    case typing(String?)
    /// Something is wrong.
    case banner(String)
    /// It is not any more.
    case bannerGone(String)
    /// Whether something can be typed, and why not.
    case input(blocked: String?)
    case unread(Int)
    case paging(String)
    /// A survey that can be answered.
    case survey(ChatPicture.Survey)
    /// What was found.
    case search(ChatPicture.Search)
    /// A call, a transfer or the socket failed; what the app would be told. A repeated one was told before, and people are not
    /// told again.
    case failed(String, isRepeated: Bool = false)
    /// A file has come.
    case file(name: String, path: String)
    /// The end.
    case ended(received: Int, failed: Int, unsent: Int)
}
