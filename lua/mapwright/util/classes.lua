--- Methods of the objects that scripts hold, by the name the manual gives them. For the checks of
--- the documents: objects have no other list of their methods.
return {}
