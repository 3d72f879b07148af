/// The environment variables that the tool reads.
enum ToolEnvironment {
    /// Prevents color (no-color.org).
    static let noColor = "NO_COLOR"
    /// The type of the terminal.
    static let terminal = "TERM"
    /// The password of PKCS #12 files.
    static let pkcs12Password = "HOLDFAST_PKCS12_PASSWORD"

    /// The variables with their meanings, for the manual page.
    static let variables = [
        (noColor, "If it is set and not empty, the output has no color. The option --color takes precedence."),
        (terminal, "If it is dumb, the output has no color."),
        (pkcs12Password, "The password of PKCS #12 files that pin reads."),
        (ServeChatCommand.tokenVariable, "The token of the operators, for serve chat."),
        (ServeCollectorCommand.tokenVariable, "The token of the readers, for serve collector."),
        ("HOLDFAST_CHAT_OPTION", "An option of serve chat, such as HOLDFAST_CHAT_BOT_DELAY for --bot-delay."),
        ("HOLDFAST_COLLECTOR_OPTION", "An option of serve collector, such as HOLDFAST_COLLECTOR_KEEP_DAYS."),
        ("SSL_CERT_FILE, SSL_CERT_DIR", "The file or folder with the roots of the system verification."),
        ("TMPDIR", "The folder for temporary files."),
    ]
}
