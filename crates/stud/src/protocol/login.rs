//! The reply to `login`, in which a player says who it is (R16).

use std::fmt;

use super::modified_utf8;

/// The most characters a GitHubId or an avatar may have. GitHub itself allows 39.
pub const MAX_NAME: usize = 64;

/// A reply to `login`: who the player is to the instructor, and to everyone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Login {
    /// The GitHubId, which only the instructor sees.
    pub github_id: String,
    /// The avatar's name as it was sent. It must be made harmless before it is shown.
    pub avatar: String,
}

impl Login {
    /// Reads the payload of a login reply: `GitHubId:avatar`, one colon, both parts non-empty.
    ///
    /// # Errors
    /// [`LoginError`] if it is not such a text. Its message is written for the player.
    pub fn read(payload: &[u8]) -> Result<Login, LoginError> {
        let text = modified_utf8::decode(payload).map_err(|_| LoginError::BadText)?;
        let mut parts = text.split(':');
        let (Some(github_id), Some(avatar), None) = (parts.next(), parts.next(), parts.next()) else {
            return Err(if text.contains(':') { LoginError::ManyColons } else { LoginError::NoColon });
        };
        for part in [github_id, avatar] {
            if part.trim().is_empty() {
                return Err(LoginError::EmptyPart);
            }
            if part.chars().count() > MAX_NAME {
                return Err(LoginError::TooLong);
            }
        }
        Ok(Login { github_id: github_id.to_string(), avatar: avatar.to_string() })
    }
}

/// Why a login is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoginError {
    /// The bytes are no modified UTF-8.
    BadText,
    /// There is no colon in it.
    NoColon,
    /// There are two colons or more in it.
    ManyColons,
    /// One of the two names is empty.
    EmptyPart,
    /// One of the two names has more than [`MAX_NAME`] characters.
    TooLong,
}

impl fmt::Display for LoginError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let problem = match self {
            LoginError::BadText => "readUTF would not accept its bytes",
            LoginError::NoColon => "there is no colon in it",
            LoginError::ManyColons => "there is more than one colon in it",
            LoginError::EmptyPart => "one of the two names is empty",
            LoginError::TooLong => return write!(f, "no name may have more than {MAX_NAME} characters"),
        };
        write!(f, "{problem}; answer your GitHubId, one colon and your avatar's name")
    }
}

impl std::error::Error for LoginError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logins() {
        let read = |text: &str| Login::read(&modified_utf8::encode(text));
        let login =
            |id: &str, avatar: &str| Ok(Login { github_id: id.to_string(), avatar: avatar.to_string() });
        assert_eq!(read("StephenCurry:Steph"), login("StephenCurry", "Steph"));
        assert_eq!(read("a b:c d é 😀"), login("a b", "c d é 😀"));
        assert_eq!(read("Steph"), Err(LoginError::NoColon));
        assert_eq!(read(""), Err(LoginError::NoColon));
        assert_eq!(read("a:b:c"), Err(LoginError::ManyColons));
        assert_eq!(read(":b"), Err(LoginError::EmptyPart));
        assert_eq!(read("a: "), Err(LoginError::EmptyPart));
        // As many characters as are allowed, not bytes.
        let longest = "é".repeat(MAX_NAME);
        assert_eq!(read(&format!("{longest}:{longest}")), login(&longest, &longest));
        assert_eq!(read(&format!("a:{longest}x")), Err(LoginError::TooLong));
        assert_eq!(read(&format!("{longest}x:a")), Err(LoginError::TooLong));
        assert_eq!(Login::read(&[0xFF, b':', b'a']), Err(LoginError::BadText));
    }

    /// Whoever is refused hears why, and what to send instead.
    #[test]
    fn a_refused_login_is_told_its_own_mistake_and_the_form() {
        for (error, words) in [
            (LoginError::BadText, "readUTF"),
            (LoginError::NoColon, "no colon"),
            (LoginError::ManyColons, "more than one colon"),
            (LoginError::EmptyPart, "is empty"),
            (LoginError::TooLong, "more than 64 characters"),
        ] {
            let text = error.to_string();
            assert!(text.contains(words), "{text}");
            let form = "answer your GitHubId, one colon and your avatar's name";
            assert!(text.ends_with(form) || error == LoginError::TooLong, "{text}");
        }
    }
}
